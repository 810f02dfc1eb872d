; `dbg!` prints to stderr on every call, in a release, too.
;
; Bad:
;   fn f() {
; >     dbg!(price);
;   }
;
; Good:
;   fn f() {
;       log::debug!("{price}");
;   }

(macro_invocation macro: (identifier) @f
  (#eq? @f "dbg")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here
