; Code after a jump in the same block never runs; mostly it is in the wrong place.
;
; Bad:
;   func f() int {
;   	return 1
; > 	log("done")
;   }
;
; Good:
;   func f(ok bool) int {
;   	if ok {
;   		return 1
;   	}
;   	return 2
;   }
;
; Good:
;   func f() {
;   	for {
;   		goto end
;   	end:
;   		stop()
;   		break
;   	}
;   }

(statement_list [(return_statement) (break_statement) (continue_statement) (goto_statement)] . (_) @here @after
  (#not-kind-match? @after "comment$|^(labeled_statement|empty_statement|type_declaration|const_declaration)$")
  (#not-match? @after "^;")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
