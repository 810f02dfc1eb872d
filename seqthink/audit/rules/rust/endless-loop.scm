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
;
; Bad:
;   fn f() {
; >     loop {
;           // return
;           total += prices.get(item) + take;
;           for item in &cart {
;               if item.price > 10 {
;                   break;
;               }
;           }
;           cart.iter().for_each(|item| { return; });
;       }
;   }
;
; Good:
;   fn f() -> io::Result<()> {
;       loop {
;           step()?;
;       }
;   }
;
; Good:
;   fn f() {
;       'all: loop {
;           for item in &cart {
;               break 'all;
;           }
;       }
;   }

(loop_expression body: (block) @body
  (#not-holds? @body "^(continue_expression continue '\\w+|break_expression|return_expression|try_expression|await_expression|yield_expression|macro_invocation (panic|unreachable|todo|unimplemented|bail|select))\\b|^{CALL}({WAITING})\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(while_expression condition: (boolean_literal) @value body: (block) @body
  (#eq? @value "true")
  (#not-holds? @body "^(continue_expression continue '\\w+|break_expression|return_expression|try_expression|await_expression|yield_expression|macro_invocation (panic|unreachable|todo|unimplemented|bail|select))\\b|^{CALL}({WAITING})\\(|{QUEUE_GET}")) @here
