; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
; > let digest = Insecure.MD5.hash(data: body)
;
; Good:
;   let digest = SHA256.hash(data: body)

((call_expression (navigation_expression) @f) @here
  (#match? @f "^(CryptoKit[.])?Insecure[.](MD5|SHA1)[.]hash$")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious"))
