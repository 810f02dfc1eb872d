; Code after a jump in the same block never runs; the compiler refuses it.
;
; Bad:
;   class A {
;       int f() {
;           return 1;
; >         log("done");
;       }
;   }
;
; Good:
;   class A {
;       int f(boolean ok) {
;           if (ok) {
;               return 1;
;           }
;           return 2;
;       }
;   }

(block [(return_statement) (throw_statement) (break_statement) (continue_statement)] . (_) @here @after
  (#not-kind-match? @after "comment|class|interface|enum|label|case|default|break|yield|empty")
  (#not-match? @after "^;")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
