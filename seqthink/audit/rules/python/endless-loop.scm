; A loop without an exit never gives control back: the program hangs and its processor is busy.
; A call that waits (for a message, a timer, a queue) is taken for a loop that is meant to run.
;
; Bad:
; > while True:
;       total += price
;
; Bad:
; > while 1:
;       retry(job)
;
; Good:
;   while True:
;       if done():
;           break
;       step()
;
; Good:
;   while True:
;       job = queue.get()
;       run(job)
;
; Bad:
; > while True:
;         # no break, no return
;         print("wait for the next")
;         total += cart.get(item)
;
; Bad:
; > while True:
;         for item in cart:
;             if item.price > 10:
;                 break
;         cart.sort(key=lambda item: item.price)
;
; Good:
;   while True:
;       run(queue.get(timeout=5))
;
; Good:
;   while True:
;       if done():
;           raise SystemExit

(while_statement condition: (true) body: (block) @body
  (#not-holds? @body "^(break_statement|return_statement|raise_statement|yield|await)\\b|^{CALL}({WAITING}|execv?)\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(while_statement condition: (integer) @one body: (block) @body
  (#eq? @one 1)
  (#not-holds? @body "^(break_statement|return_statement|raise_statement|yield|await)\\b|^{CALL}({WAITING}|execv?)\\(|{QUEUE_GET}")) @here
