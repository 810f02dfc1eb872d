; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
; > http.verify_mode = OpenSSL::SSL::VERIFY_NONE
;
; Bad:
; > get(url, verify: false)
;
; Good:
;   http.verify_mode = OpenSSL::SSL::VERIFY_PEER

(assignment right: (scope_resolution name: (constant) @value)
  (#eq? @value "VERIFY_NONE")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(pair key: (hash_key_symbol) @key value: [(false) (scope_resolution name: (constant) @value)]
  (#any-of? @key "verify" "verify_ssl" "verify_mode" "ssl_verify_mode")
  (#eq? @value "VERIFY_NONE")) @here
