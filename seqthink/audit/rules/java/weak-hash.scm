; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
;   class A {
;       void f() throws Exception {
; >         MessageDigest digest = MessageDigest.getInstance("MD5");
;       }
;   }
;
; Bad:
;   class A {
;       void f() {
; >         String mark = DigestUtils.sha1Hex(body);
;       }
;   }
;
; Good:
;   class A {
;       void f() throws Exception {
;           MessageDigest digest = MessageDigest.getInstance("SHA-256");
;       }
;   }

(method_invocation name: (identifier) @f arguments: (argument_list . (string_literal (string_fragment) @name))
  (#eq? @f "getInstance")
  (#match? @name "(?i)^(md5|sha-?1|md4|md2)$")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(method_invocation object: (identifier) @o name: (identifier) @f
  (#eq? @o "DigestUtils")
  (#match? @f "^(md5|sha1|sha)(Hex)?$")) @here
