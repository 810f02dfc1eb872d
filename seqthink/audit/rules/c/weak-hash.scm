; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
;   void f(void) {
; >     MD5(body, length, digest);
;   }
;
; Good:
;   void f(void) {
;       SHA256(body, length, digest);
;   }
;
; Also: cpp

(call_expression function: (_) @f
  (#any-of? @f "MD5" "SHA1" "MD5_Init" "SHA1_Init" "EVP_md5" "EVP_sha1")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
