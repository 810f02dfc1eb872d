; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block says why and is enough.
;
; Bad:
;   try {
;     ship(order);
; > } catch (error) {
;   }
;
; Bad:
; > fetchAll().catch(() => {});
;
; Good:
;   try {
;     ship(order);
;   } catch (error) {
;     report(error);
;   }
;
; Good:
;   try {
;     cleanUp();
;   } catch {
;     // already gone
;   }
;
; Also: typescript, tsx

(catch_clause body: (statement_block) @body
  (#match? @body "^([\\s{}();]|continue|null|undefined)*$")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(call_expression function: (member_expression property: (property_identifier) @f) arguments: (arguments .
    (arrow_function body: (statement_block) @body) .)
  (#eq? @f "catch")
  (#match? @body "^([\\s{}();]|continue|null|undefined)*$")) @here
