; Nobody learns that something went wrong, and the program goes on with what it has not.
;
; Bad:
;   fn f() {
;       match ship() {
;           Ok(id) => show(id),
; >         Err(_) => {}
;       }
;   }
;
; Bad:
;   fn f() {
; >     if let Err(error) = ship() {
;       }
;   }
;
; Good:
;   fn f() {
;       match ship() {
;           Ok(id) => show(id),
;           Err(error) => report(error),
;       }
;   }

(match_arm pattern: (match_pattern) @p value: [(block) (unit_expression)] @body
  (#match? @p "^Err\\(")
  (#match? @body "^[\\s{}();]*$")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(if_expression condition: (let_condition pattern: (_) @p) consequence: (block) @body !alternative
  (#match? @p "^Err\\(")
  (#match? @body "^[\\s{}();]*$")) @here
