; What is forgotten is never dropped: its memory, file or lock stays taken.
;
; Bad:
;   fn f() {
; >     std::mem::forget(guard);
;   }
;
; Good:
;   fn f() {
;       drop(guard);
;   }

(call_expression function: (_) @f
  (#match? @f "mem::forget$|^Box::leak$")
  (#set! comment "A forgotten value is never released; let it drop.")
  (#set! dimension "correctness")
  (#set! cost "minor")) @here
