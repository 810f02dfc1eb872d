; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
; > curl -k https://example.com/
;
; Bad:
; > GIT_SSL_NO_VERIFY=1
;
; Good:
;   curl --cacert bundle.pem https://example.com/
;
; Bad:
; > wget --no-check-certificate https://example.com/
; > git -c http.sslVerify=false fetch
;
; Good:
;   wget -k https://example.com/
;
; Bad:
; > export NODE_TLS_REJECT_UNAUTHORIZED=0
;
; Good:
;   NODE_TLS_REJECT_UNAUTHORIZED=1
;   GIT_SSL_NO_VERIFY=0

(command name: (command_name) @f argument: (_) @value
  (#eq? @f "curl")
  (#match? @value "^(-[a-zA-Z]*k[a-zA-Z]*|--insecure)$")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(variable_assignment name: (_) @n value: (_) @v
  (#eq? @n "GIT_SSL_NO_VERIFY")
  (#match? @v "^[\"']?(1|true)[\"']?$")) @here

(variable_assignment name: (_) @n value: (_) @v
  (#any-of? @n "NODE_TLS_REJECT_UNAUTHORIZED" "PYTHONHTTPSVERIFY")
  (#match? @v "^[\"']?0[\"']?$")) @here

(command name: (command_name) @f argument: (_) @value
  (#any-of? @f "wget" "git")
  (#match? @value "^(--no-check-certificate|http.sslVerify=(false|0))$")) @here
