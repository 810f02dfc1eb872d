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
;
; Bad:
;   class A {
;       void f() {
; >         while (true) {
;               // return
;               total += prices.get(item) + read;
;               for (Item item : cart) {
;                   if (item.price > 10) break;
;               }
;               cart.forEach(item -> { return; });
;           }
;       }
;   }
;
; Good:
;   class A {
;       void f() {
;           for (;;) {
;               if (isDone()) {
;                   throw new IllegalStateException();
;               }
;           }
;       }
;   }

(while_statement condition: (parenthesized_expression (true)) body: (_) @body
  (#not-holds? @body "^(continue_statement continue \\w+|break_statement|return_statement|throw_statement|yield_statement)\\b|^{CALL}({WAITING})\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(for_statement !init !condition !update body: (_) @body
  (#not-holds? @body "^(continue_statement continue \\w+|break_statement|return_statement|throw_statement|yield_statement)\\b|^{CALL}({WAITING})\\(|{QUEUE_GET}")) @here
