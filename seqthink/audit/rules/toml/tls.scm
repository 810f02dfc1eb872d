; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   [server]
; > verify_ssl = false
;
; Good:
;   [server]
;   verify_ssl = true

((pair (bare_key) @key (boolean) @value) @here
  (#match? @key "^(verify|verify_ssl|ssl_verify|verify_tls|tls_verify)$|^(verify-ssl|ssl-verify|verify-tls)$")
  (#eq? @value "false")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave"))

((pair (bare_key) @key (boolean) @value) @here
  (#match? @key "^(insecure_skip_verify|insecure-skip-verify)$")
  (#eq? @value "true"))
