; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   func f() {
; > 	config := &tls.Config{InsecureSkipVerify: true}
;   	use(config)
;   }
;
; Bad:
;   func f() {
; > 	config.InsecureSkipVerify = true
;   }
;
; Good:
;   func f() {
;   	config := &tls.Config{RootCAs: pool}
;   	use(config)
;   }

(keyed_element . (_) @key . (_) @value
  (#eq? @key "InsecureSkipVerify")
  (#eq? @value "true")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(assignment_statement left: (_) @key right: (_) @value
  (#match? @key "InsecureSkipVerify$")
  (#eq? @value "true")) @here
