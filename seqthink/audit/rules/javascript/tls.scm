; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
; > const agent = new https.Agent({ rejectUnauthorized: false });
;
; Bad:
; > process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
;
; Good:
;   const agent = new https.Agent({ ca: bundle });
;
; Also: typescript, tsx

(pair key: (_) @key value: (false)
  (#match? @key "^[\"']?(rejectUnauthorized|strictSSL|strictSsl|verifySsl|verifySSL)[\"']?$")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(assignment_expression left: (_) @key right: (_) @value
  (#match? @key "NODE_TLS_REJECT_UNAUTHORIZED|[.]rejectUnauthorized$")
  (#match? @value "^([\"']?0[\"']?|false)$")) @here
