; A loop without an exit never gives control back: the program hangs and its processor is busy.
;
; Bad:
;   void f(void) {
; >     while (1) {
;           total += price;
;       }
;   }
;
; Bad:
;   void f(void) {
; >     for (;;) {
;           total += price;
;       }
;   }
;
; Good:
;   void f(void) {
;       for (;;) {
;           if (done()) {
;               break;
;           }
;       }
;   }
;
; Also: cpp

(while_statement condition: (_) @value body: (_) @body
  (#match? @value "^\\(\\s*(1|true)\\s*\\)$")
  (#not-match? @body "\\b(break|return|throw|goto|_?exit|abort|execv?|co_await|co_yield|Receive|Accept|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(for_statement !initializer !condition !update body: (_) @body
  (#not-match? @body "\\b(break|return|throw|goto|_?exit|abort|execv?|co_await|co_yield|Receive|Accept|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")) @here
