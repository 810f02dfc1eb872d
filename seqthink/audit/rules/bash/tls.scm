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

(command name: (command_name) @f argument: (_) @value
  (#eq? @f "curl")
  (#match? @value "^(-[a-zA-Z]*k[a-zA-Z]*|--insecure)$")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(variable_assignment name: (_) @n value: (_) @v
  (#any-of? @n "GIT_SSL_NO_VERIFY" "NODE_TLS_REJECT_UNAUTHORIZED" "PYTHONHTTPSVERIFY")
  (#match? @v "^[\"']?(1|true|0)[\"']?$")) @here

(command name: (command_name) @f argument: (_) @value
  (#any-of? @f "wget" "git")
  (#match? @value "^(--no-check-certificate|http.sslVerify=(false|0))$")) @here
