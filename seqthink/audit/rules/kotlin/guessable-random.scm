; kotlin.random.Random can be predicted from a few of its values; a token or a password must not be.
;
; Bad:
;   fun f(name: String) {
; >     val token = Random.nextInt()
;   }
;
; Good:
;   fun f(name: String) {
;       val token = SecureRandom().nextInt()
;       val side = Random.nextInt(6)
;   }

(property_declaration (variable_declaration (identifier) @name) (call_expression (navigation_expression) @f)
  (#match? @name "{SECRET_NAME}")
  (#match? @f "^(kotlin[.]random[.])?Random(\\([^)]*\\))?[.]next")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
