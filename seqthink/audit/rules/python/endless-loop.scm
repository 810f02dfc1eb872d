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

(while_statement condition: (true) body: (block) @body
  (#not-match? @body "\\b(break|return|raise|yield|await|_?exit|abort|execv?|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(while_statement condition: (integer) @one body: (block) @body
  (#eq? @one 1)
  (#not-match? @body "\\b(break|return|raise|yield|await|_?exit|abort|execv?|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")) @here
