; `Math.random` can be predicted from a few of its values; a token or a password must not be.
;
; Bad:
; > const token = Math.random().toString(36);
;
; Good:
;   const token = crypto.randomUUID();
;   const x = Math.random() * width;
;
; Also: typescript, tsx

((call_expression function: (_) @f) @here
  (#eq? @f "Math.random")
  (#within-named? @here "{SECRET_NAME}")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious"))
