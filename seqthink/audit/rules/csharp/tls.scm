; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, error) => true;
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         handler.Check = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator;
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, error) => Check(certificate);
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, error) => { return true; };
;       }
;   }

(assignment_expression left: (_) @key right: (lambda_expression body: [(boolean_literal) @value (block .
    (return_statement (boolean_literal) @value) .)])
  (#match? @key "Certificate\\w*Callback$")
  (#eq? @value "true")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

((identifier) @here
  (#eq? @here "DangerousAcceptAnyServerCertificateValidator"))
