; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block that says why is enough; `TODO` does not say why.
;
; Bad:
;   <?php
;   try {
;       ship($order);
; > } catch (Exception $error) {
;   }
;
; Good:
;   <?php
;   try {
;       ship($order);
;   } catch (Exception $error) {
;       error_log($error);
;       throw $error;
;   }
;
; Good:
;   <?php
;   try {
;       unlink($path);
;   } catch (Exception $error) {
;       // already gone
;   }
;
; Bad:
;   <?php
;   try {
;       ship($order);
; > } catch (Exception $error) {
;       // TODO
;   }

(catch_clause body: (compound_statement) @body
  (#not-holds? @body "^(?!block |compound_statement |empty_statement|{TODO_COMMENT})")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
