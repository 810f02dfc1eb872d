; It stops the program, or ends it where no debugger is attached.
;
; Bad:
;   void f(void) {
; >     __builtin_trap();
;   }
;
; Bad:
;   void f(void) {
; >     raise(SIGTRAP);
;   }
;
; Good:
;   void f(void) {
;       raise(SIGTERM);
;   }
;
; Also: cpp

(call_expression function: (_) @f
  (#any-of? @f "__builtin_trap" "__debugbreak" "DebugBreak" "__builtin_debugtrap")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here

(call_expression function: (_) @f arguments: (argument_list . (_) @value .)
  (#eq? @f "raise")
  (#eq? @value "SIGTRAP")) @here
