; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
;   func f() {
; > 	sum := md5.Sum(body)
;   	use(sum)
;   }
;
; Good:
;   func f() {
;   	sum := sha256.Sum256(body)
;   	use(sum)
;   }

(call_expression function: (_) @f
  (#match? @f "^(md5|sha1)[.](New|Sum)$")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
