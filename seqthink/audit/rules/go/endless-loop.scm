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
;
; Bad:
;   func f() {
; > 	for {
;   		// return
;   		read := "select next"
;   		use(read, func() int { return 1 })
;   		switch read {
;   		case "a":
;   			break
;   		}
;   	}
;   }
;
; Good:
;   func f() {
;   	for {
;   		select {
;   		case job := <-jobs:
;   			run(job)
;   		}
;   	}
;   }
;
; Good:
;   func f() {
;   	for {
;   		if done() {
;   			panic("done")
;   		}
;   	}
;   }
;
; Good:
;   func f() {
;   all:
;   	for _, cart := range carts {
;   		for {
;   			if isDone(cart) {
;   				continue all
;   			}
;   		}
;   	}
;   }

(for_statement . body: (block) @body
  (#not-holds? @body "^(continue_statement continue \\w+|break_statement|return_statement|goto_statement|select_statement|receive_statement|unary_expression <-)\\b|^{CALL}({WAITING}|panic|Fatal\\w*)\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
