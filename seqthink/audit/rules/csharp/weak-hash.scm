; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         var hash = MD5.Create();
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         var hash = new SHA1Managed();
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           var hash = SHA256.Create();
;       }
;   }

(member_access_expression expression: (identifier) @type name: (identifier) @f
  (#any-of? @type "MD5" "SHA1")
  (#any-of? @f "Create" "HashData")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(object_creation_expression type: (identifier) @type
  (#match? @type "^(MD5|SHA1)(Managed|CryptoServiceProvider|Cng)$")) @here
