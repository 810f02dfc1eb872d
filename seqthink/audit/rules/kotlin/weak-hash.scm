; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
;   fun f(name: String) {
; >     val digest = MessageDigest.getInstance("MD5")
;   }
;
; Good:
;   fun f(name: String) {
;       val digest = MessageDigest.getInstance("SHA-256")
;   }

(call_expression (navigation_expression) @f (value_arguments . (value_argument (string_literal) @name))
  (#match? @f "[.]getInstance$")
  (#match? @name "(?i)^.(md5|sha-?1|md4|md2).$")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
