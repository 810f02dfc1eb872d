; A loop without an exit never gives control back: the thread runs for ever and its processor is busy.
;
; Bad:
;   class A {
;       void f() {
; >         while (true) {
;               total += price;
;           }
;       }
;   }
;
; Bad:
;   class A {
;       void f() {
; >         for (;;) {
;               total += price;
;           }
;       }
;   }
;
; Good:
;   class A {
;       void f() throws InterruptedException {
;           while (true) {
;               run(queue.take());
;           }
;       }
;   }

(while_statement condition: (parenthesized_expression (true)) body: (_) @body
  (#not-match? @body "\\b(break|return|throw|yield|exit|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(for_statement !init !condition !update body: (_) @body
  (#not-match? @body "\\b(break|return|throw|yield|exit|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")) @here
