; `todo!` and `unimplemented!` compile, and panic when the program comes there.
;
; Bad:
;   fn f() {
; >     todo!()
;   }
;
; Good:
;   fn f() {
;       ship();
;   }

(macro_invocation macro: (identifier) @f
  (#any-of? @f "todo" "unimplemented")
  (#set! comment "Not written yet: this panics when it is reached.")
  (#set! dimension "correctness")
  (#set! cost "minor")) @here
