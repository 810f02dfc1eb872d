; One equals sign assigns: the condition is the new value, and the old one is lost.
;
; Bad:
;   void f(void) {
; >     if (state = DONE) {
;           stop();
;       }
;   }
;
; Good:
;   void f(void) {
;       if (state == DONE) {
;           stop();
;       }
;   }
;
; Good:
;   void f(void) {
;       while ((c = next_char()) != EOF) {
;           put(c);
;       }
;   }
;
; Also: cpp

(if_statement condition: (_ (assignment_expression)) @here
  (#set! comment "An assignment as a condition; compare with \"==\".")
  (#set! dimension "correctness")
  (#set! cost "serious"))
