; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   FROM debian:12
; > RUN curl -k https://example.com/a.tar
;
; Good:
;   FROM debian:12
;   RUN curl -fsS https://example.com/a.tar
;
; Bad:
;     FROM debian:12
; > RUN curl -fsSkL https://example.com/a.tar
; > RUN curl "https://example.com/a.tar?a=1&b=2" --insecure
;
; Good:
;   FROM debian:12
;   RUN curl -fsS https://example.com/a.tar; tar -k -xf a.tar

((run_instruction) @here
  (#match? @here "\\bcurl\\s(?:[^|;&\"']|\"[^\"]*\"|'[^']*'){0,500}?(?<=\\s)(-[a-zA-Z]*k[a-zA-Z]*|--insecure)(?![\\w-])|\\bwget\\s(?:[^|;&\"']|\"[^\"]*\"|'[^']*'){0,500}?--no-check-certificate\\b|sslVerify=false|NODE_TLS_REJECT_UNAUTHORIZED=0")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave"))
