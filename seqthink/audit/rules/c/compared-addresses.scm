; `==` compares where the texts are, not what they say.
;
; Bad:
;   int f(const char *state) {
; >     return state == "done";
;   }
;
; Good:
;   int f(const char *state) {
;       return strcmp(state, "done") == 0;
;   }
;
; Bad:
;   int f(const char *state) {
; >     return "done" != state;
;   }

(binary_expression operator: ["==" "!="] right: (string_literal)
  (#set! comment "Compares addresses, not text; use strcmp().")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(binary_expression left: (string_literal) operator: ["==" "!="]) @here
