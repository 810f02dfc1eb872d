; `rand` can be predicted from its values; a token or a password must not be.
;
; Bad:
; > token = rand(10**9)
;
; Good:
;   token = SecureRandom.hex(16)
;   side = rand(6)

((call method: (identifier) @f) @here
  (#any-of? @f "rand" "sample")
  (#within-named? @here "{SECRET_NAME}")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious"))
