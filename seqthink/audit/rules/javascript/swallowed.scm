; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block that says why is enough; `TODO` does not say why.
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
; Bad:
;     try {
;       ship(order);
; > } catch {
;       // TODO: report it
;     }
;
; Bad:
;     try {
;       ship(order);
; > } catch {
;       //
;     }
;
; Good:
;   ship(order).catch(() => { /* sent again by the next run */ });
;
; Also: typescript, tsx

(catch_clause body: (statement_block) @body
  (#not-holds? @body "^(?!(continue|empty)_statement|(expression_statement )?(null|undefined)\\b|{TODO_COMMENT})")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(call_expression function: (member_expression property: (property_identifier) @f) arguments: (arguments .
    (arrow_function body: (statement_block) @body) .)
  (#eq? @f "catch")
  (#not-holds? @body "^(?!(continue|empty)_statement|(expression_statement )?(null|undefined)\\b|{TODO_COMMENT})")) @here
