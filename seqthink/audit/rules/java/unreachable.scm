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
;
; Bad:
;   class A {
;       int f() {
;           return 1;
; >         class B {}
;       }
;   }
;
; Good:
;   class A {
;       int f(int state) {
;           switch (state) {
;               case 1: {
;                   return 1;
;                   break;
;               }
;           }
;           return 2;
;       }
;   }

(block [(return_statement) (throw_statement) (break_statement) (continue_statement)] . (_) @here @after
  (#not-kind-match? @after "comment$|^(break_statement|yield_statement|labeled_statement)$")
  (#not-match? @after "^;")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
