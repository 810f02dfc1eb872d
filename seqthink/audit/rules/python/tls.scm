; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
; > session.verify = False
;
; Bad:
; > context.verify_mode = ssl.CERT_NONE
;
; Bad:
; > session.get(url, verify=False)
;
; Good:
;   session.get(url, verify=bundle)
;   context.check_hostname = True

(assignment left: (attribute attribute: (identifier) @name) right: (false)
  (#any-of? @name "verify" "check_hostname")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(assignment left: (attribute attribute: (identifier) @name) right: (attribute attribute: (identifier) @value)
  (#eq? @name "verify_mode")
  (#eq? @value "CERT_NONE")) @here

(call function: (_) @f arguments: (argument_list (keyword_argument name: (identifier) @name
    value: (false)) @here)
  (#any-of? @name "verify" "verify_ssl" "ssl" "check_hostname")
  (#match? @f "(?i)(get|post|put|patch|request|session|client|connect|delete)$"))
