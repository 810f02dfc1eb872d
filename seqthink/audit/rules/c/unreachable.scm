; Code after a jump in the same block never runs; mostly it is in the wrong place.
;
; Bad:
;   int f(void) {
;       return 1;
; >     log_end();
;   }
;
; Good:
;   int f(void) {
;       if (!ready) {
;           goto end;
;       }
;       run();
;   end:
;       return 1;
;   }
;
; Bad:
;   int f(void) {
;       return 1;
; >     break_up();
;   }
;
; Bad:
;   int f(void) {
;       return 1;
; >     __builtin_prefetch(next);
;   }
;
; Good:
;   int f(int state) {
;       switch (state) {
;       case 1: {
;           return 1;
;           break;
;       }
;       }
;       exit(0);
;       return 2;
;   }
;
; Also: cpp

(compound_statement [(return_statement) (break_statement) (continue_statement) (goto_statement)] .
    (_) @here @after
  (#not-kind-match? @after "comment$|^(labeled|case|break|attributed)_statement$|^(struct|enum|union|class)_specifier$|^type_definition$|^preproc_")
  (#not-match? @after "^(;|__builtin_unreachable\\(|\\(void\\))")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
