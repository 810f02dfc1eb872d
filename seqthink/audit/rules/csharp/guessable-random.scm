; System.Random can be predicted from a few of its values; a token or a password must not be.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         var token = new Random().Next();
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           var token = RandomNumberGenerator.GetHexString(32);
;           var side = new Random().Next(6);
;       }
;   }

((object_creation_expression type: (identifier) @type) @here
  (#eq? @type "Random")
  (#within-named? @here "{SECRET_NAME}")
  (#set! comment "This random value can be guessed; use a cryptographic random source.")
  (#set! dimension "security")
  (#set! cost "serious"))
