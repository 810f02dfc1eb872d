; A loop without an exit never gives control back: the thread runs for ever and its processor is busy.
;
; Bad:
;   fn f() {
; >     loop {
;           total += price;
;       }
;   }
;
; Bad:
;   fn f() {
; >     while true {
;           total += price;
;       }
;   }
;
; Good:
;   fn f() {
;       loop {
;           if done() {
;               break;
;           }
;       }
;   }

(loop_expression body: (block) @body
  (#not-match? @body "\\b(break|return|panic|unreachable|await|exit|abort|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b|\\?;")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(while_expression condition: (boolean_literal) @value body: (block) @body
  (#eq? @value "true")
  (#not-match? @body "\\b(break|return|panic|unreachable|await|exit|abort|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b|\\?;")) @here
