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
;
; Bad:
;   fun f(name: String) {
; >     while (true) {
;           // break
;           total += getTotal("read(")
;           for (item in cart) {
;               if (item.price > 10) break
;           }
;       }
;   }
;
; Good:
;   fun f(name: String) {
;       while (true) {
;           delay(1000)
;       }
;   }

(while_statement condition: (identifier) @value (block) @body
  (#eq? @value "true")
  (#not-holds? @body "^(identifier (break|throw)|return_expression|throw_expression|jump_expression|identifier yield)\\b|^{CALL}({WAITING}|exitProcess)\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
