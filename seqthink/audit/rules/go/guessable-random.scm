; math/rand can be predicted from a few of its values; a token or a password must not be.
;
; Bad:
;   func f() {
; > 	token := rand.Int63()
;   	use(token)
;   }
;
; Good:
;   func f() {
;   	dice := rand.Intn(6)
;   	use(dice)
;   }

((call_expression function: (_) @f) @here
  (#match? @f "^rand[.](Int|Intn|Int63|Uint32|Read|Int31n)$")
  (#within-named? @here "(?i)token|secret|passw|session_?id|nonce|otp\\b|api_?key|salt|csrf|reset_?code")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious"))
