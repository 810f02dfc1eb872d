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
; Also: typescript, tsx

(while_statement condition: (parenthesized_expression (true)) body: (_) @body
  (#not-match? @body "\\b(break|return|throw|yield|await|exit|abort|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(for_statement initializer: (empty_statement) condition: (empty_statement) !increment body: (_) @body
  (#not-match? @body "\\b(break|return|throw|yield|await|exit|abort|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")) @here
