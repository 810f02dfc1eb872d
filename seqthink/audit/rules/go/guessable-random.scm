; math/rand can be predicted from a few of its values; a token or a password must not be. Calls that crypto/rand has, too
; (`rand.Read`, `rand.Int` with a reader), are taken for its.
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
;
; Bad:
;   func f() {
; > 	token := letters[rand.Intn(len(rand.Reader))]
;   	use(token)
;   }
;
; Good:
;   func newToken() (string, error) {
;   	token, err := rand.Int(rand.Reader, most)
;   	if _, err := rand.Read(salt); err != nil {
;   		return "", err
;   	}
;   	return token.String(), err
;   }

((call_expression function: (_) @f arguments: (argument_list . (_)? @first)) @here
  (#match? @f "^rand[.](Int|Intn|Int63|Uint32|Int31n)$")
  (#not-match? @first "^rand[.]Reader$")
  (#within-named? @here "{SECRET_NAME}")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious"))
