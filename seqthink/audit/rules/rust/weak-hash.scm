; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
;   fn f() {
; >     let digest = md5::compute(body);
;   }
;
; Good:
;   fn f() {
;       let digest = Sha256::digest(body);
;   }

(call_expression function: (_) @f
  (#match? @f "^(md5::compute|(Md5|Sha1)::(new|digest)|(md5|sha1)::(Md5|Sha1)::(new|digest))$")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
