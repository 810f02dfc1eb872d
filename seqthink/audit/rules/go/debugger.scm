; It stops the program where no debugger is attached.
;
; Bad:
;   func f() {
; > 	runtime.Breakpoint()
;   }
;
; Good:
;   func f() {
;   	runtime.GC()
;   }

(call_expression function: (_) @f
  (#eq? @f "runtime.Breakpoint")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here
