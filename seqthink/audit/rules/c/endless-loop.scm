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
; Bad:
;   void f(void) {
; >     for (;;) {
;           /* break, return */
;           puts("wait for the next");
;           total += read_ahead;
;           switch (state) {
;           case 1:
;               break;
;           }
;       }
;   }
;
; Good:
;   void f(void) {
;       while (1) {
;           if (wait_for_input() < 0) {
;               handle();
;           }
;       }
;   }
;
; Also: cpp

(while_statement condition: (_) @value body: (_) @body
  (#match? @value "^\\(\\s*(1|true)\\s*\\)$")
  (#not-holds? @body "^(break_statement|return_statement|throw_statement|goto_statement|co_await_expression|co_yield_statement|co_return_statement)\\b|^{CALL}({WAITING}|execv?|longjmp|pause)\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(for_statement !initializer !condition !update body: (_) @body
  (#not-holds? @body "^(break_statement|return_statement|throw_statement|goto_statement|co_await_expression|co_yield_statement|co_return_statement)\\b|^{CALL}({WAITING}|execv?|longjmp|pause)\\(|{QUEUE_GET}")) @here
