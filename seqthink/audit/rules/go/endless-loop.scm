; A loop without an exit never gives control back: the goroutine runs for ever and its processor is busy.
;
; Bad:
;   func f() {
; > 	for {
;   		total += price
;   	}
;   }
;
; Good:
;   func f() {
;   	for {
;   		if done() {
;   			break
;   		}
;   	}
;   }
;
; Good:
;   func f() {
;   	for {
;   		run(<-jobs)
;   	}
;   }

(for_statement . body: (block) @body
  (#not-match? @body "\\b(break|return|panic|goto|exit|os\\.Exit|log\\.Fatal\\w*|Receive|Accept|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b|<-")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
