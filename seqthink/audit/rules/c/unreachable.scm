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
; Also: cpp

(compound_statement [(return_statement) (break_statement) (continue_statement) (goto_statement)] .
    (_) @here @after
  (#not-kind-match? @after "comment|label|case|default|break|struct|enum|type_|preproc|empty|attribute")
  (#not-match? @after "^(;|__builtin|break|\\(?void\\))")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
