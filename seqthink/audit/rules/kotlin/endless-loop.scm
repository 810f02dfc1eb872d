; A loop without an exit never gives control back: the program hangs and its processor is busy.
;
; Bad:
;   fun f(name: String) {
; >     while (true) {
;           total += 1
;       }
;   }
;
; Good:
;   fun f(name: String) {
;       while (true) {
;           if (done()) break
;       }
;   }

(while_statement condition: (identifier) @value (block) @body
  (#eq? @value "true")
  (#not-match? @body "\\b(break|return|throw|yield|exitProcess)\\b|(?i:recv|accept|receive|sleep|delay|wait|poll|take|read|get|next|select)\\w*\\(")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
