; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block that says why is enough; `TODO` does not say why.
;
; Bad:
;   func f() {
;   	err := ship()
; > 	_ = err
;   }
;
; Bad:
;   func f() {
; > 	if err := ship(); err != nil {
;   	}
;   }
;
; Good:
;   func f() error {
;   	if err := ship(); err != nil {
;   		return err
;   	}
;   	return nil
;   }
;
; Bad:
;   func f() {
; > 	if err := ship(); err != nil {
;   		// TODO
;   	}
;   }
;
; Good:
;   func f() {
;   	if err := ship(); err != nil {
;   		// sent again by the next run
;   	}
;   }

(assignment_statement left: (expression_list . (identifier) @none .) right: (expression_list .
    (identifier) @err .)
  (#eq? @none "_")
  (#match? @err "^(err|e)$|Err$")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(if_statement condition: (binary_expression left: (_) @err operator: "!=" right: (nil))
    consequence: (block) @body
  (#match? @err "(?i)err$")
  (#not-holds? @body "^(?!{TODO_COMMENT})")) @here
