; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   FROM debian:12
; > RUN curl -k https://example.com/a.tar
;
; Good:
;   FROM debian:12
;   RUN curl -fsS https://example.com/a.tar

((run_instruction) @here
  (#match? @here "\\bcurl\\b[^|;&]{0,500}\\s(-k|--insecure)\\b|\\bwget\\s[^|;&]{0,500}--no-check-certificate\\b|sslVerify=false|NODE_TLS_REJECT_UNAUTHORIZED=0")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave"))
