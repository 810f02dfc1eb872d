; Code after a jump in the same block never runs; mostly it is in the wrong place.
;
; Bad:
;   fn f() -> u32 {
;       return 1;
; >     log("done");
;   }
;
; Good:
;   fn f(ok: bool) -> u32 {
;       if ok {
;           return 1;
;       }
;       2
;   }
;
; Good:
;   fn f() -> u32 {
;       return one();
;       fn one() -> u32 {
;           1
;       }
;   }
;
; Bad:
;   fn f() -> u32 {
;       return 1;
; >     let total = 1;
;   }

(block [(expression_statement (return_expression)) (expression_statement (break_expression))
    (expression_statement (continue_expression))] . (_) @here @after
  (#not-kind-match? @after "comment$|_item$|^use_declaration$|^macro_definition$|^empty_statement$")
  (#not-match? @after "^;")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
