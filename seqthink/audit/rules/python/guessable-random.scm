; The module `random` can be predicted from a few of its values; a token or a password must not be.
;
; Bad:
; > token = random.randint(0, 10**9)
;
; Bad:
; > reset_code = "".join(random.choice(letters) for _ in range(8))
;
; Good:
;   token = secrets.token_hex(16)
;   colour = random.choice(colours)

((call function: (attribute object: (identifier) @module attribute: (identifier) @f)) @here
  (#eq? @module "random")
  (#any-of? @f "choice" "choices" "randint" "random" "randrange" "sample" "getrandbits")
  (#within-named? @here "{SECRET_NAME}")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious"))
