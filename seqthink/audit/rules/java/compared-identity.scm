; `==` asks whether two texts are the same object; equal texts often are not.
;
; Bad:
;   class A {
;       boolean f(String state) {
; >         return state == "done";
;       }
;   }
;
; Bad:
;   class A {
;       boolean f(String state) {
; >         return "done" == state;
;       }
;   }
;
; Good:
;   class A {
;       boolean f(String state) {
;           return "done".equals(state);
;       }
;   }
;
; Bad:
;   class A {
;       boolean f(String state) {
; >         return "\"done\"" == state;
;       }
;   }

(binary_expression operator: ["==" "!="] right: (string_literal)
  (#set! comment "Compares identity, not text; use equals().")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(binary_expression left: (string_literal) operator: ["==" "!="]) @here
