; Who writes the text decides what runs, with all rights of the program.
;
; Bad:
;   class A {
;       Object f(String text) throws Exception {
; >         return engine.eval(text);
;       }
;   }
;
; Good:
;   class A {
;       Object f() throws Exception {
;           return engine.eval("1 + 1");
;       }
;   }
;
; Bad:
;   class A {
;       Object f(String text) throws Exception {
; >         engine.eval("\"" + text + "\"");
; >         return engine.eval(ARGS[1] + text);
;       }
;   }
;
; Good:
;   class A {
;       Object f() throws Exception {
;           return engine.eval("1 + " + "1" + Scripts.TOTAL);
;       }
;   }

(method_invocation object: (_) @o name: (identifier) @f arguments: (argument_list . (_) @value)
  (#eq? @f "eval")
  (#match? @o "(?i)(engine|script|js)")
  (#not-every-part? @value "{CONSTANT}")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
