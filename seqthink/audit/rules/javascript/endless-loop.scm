; A loop without an exit never gives control back: the page or the server hangs.
;
; Bad:
; > while (true) {
;     total += price;
;   }
;
; Bad:
; > for (;;) {
;     retry(job);
;   }
;
; Good:
;   while (true) {
;     if (done()) break;
;   }
;
; Good:
;   async function poll() {
;     for (;;) {
;       await sleep(1000);
;     }
;   }
;
; Bad:
; > while (true) {
;       // break when it is done
;       log("return to the next");
;       total += cart.get(item);
;     }
;
; Bad:
; > for (;;) {
;       for (const item of cart) {
;         if (item.price > 10) break;
;       }
;       items.forEach((item) => { return item.price; });
;     }
;
; Good:
;   outer: for (;;) {
;     for (const item of cart) {
;       if (item.price > 10) break outer;
;     }
;   }
;
; Good:
;   while (true) {
;     run(queue.take());
;   }
;
; Also: typescript, tsx

(while_statement condition: (parenthesized_expression (true)) body: (_) @body
  (#not-holds? @body "^(continue_statement continue \\w+|break_statement|return_statement|throw_statement|yield_expression|await_expression)\\b|^{CALL}({WAITING})\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(for_statement initializer: (empty_statement) condition: (empty_statement) !increment body: (_) @body
  (#not-holds? @body "^(continue_statement continue \\w+|break_statement|return_statement|throw_statement|yield_expression|await_expression)\\b|^{CALL}({WAITING})\\(|{QUEUE_GET}")) @here
