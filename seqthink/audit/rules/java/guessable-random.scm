; java.util.Random can be predicted from two of its values; a token or a password must not be.
;
; Bad:
;   class A {
;       void f() {
; >         long token = new Random().nextLong();
;       }
;   }
;
; Good:
;   class A {
;       void f() {
;           long token = new SecureRandom().nextLong();
;           int dice = new Random().nextInt(6);
;       }
;   }

((object_creation_expression type: (_) @f) @here
  (#eq? @f "Random")
  (#within-named? @here "{SECRET_NAME}")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious"))
