; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   fn f() {
; >     let client = Client::builder().danger_accept_invalid_certs(true);
;   }
;
; Good:
;   fn f() {
;       let client = Client::builder().add_root_certificate(certificate);
;   }

(call_expression function: (field_expression field: (field_identifier) @f) arguments: (arguments
    (boolean_literal) @value)
  (#match? @f "^danger_accept_invalid_(certs|hostnames)$")
  (#eq? @value "true")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here
