; It stops the program, or asks to attach a debugger, wherever it runs.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         Debugger.Break();
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           Debug.Assert(name != null);
;       }
;   }

(invocation_expression function: (_) @f
  (#match? @f "(^|[.])Debugger[.](Break|Launch)$")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here
