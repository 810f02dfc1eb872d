; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block that says why is enough; `TODO` does not say why.
;
; Bad:
;   void f() {
;       try {
;           ship();
; >     } catch (const std::exception& error) {
;       }
;   }
;
; Good:
;   void f() {
;       try {
;           ship();
;       } catch (const std::exception& error) {
;           report(error.what());
;       }
;   }
;
; Bad:
;   void f() {
;       try {
;           ship();
; >     } catch (const std::exception& error) {
;           // FIXME
;       }
;   }
;
; Good:
;   void f() {
;       try {
;           ship();
;       } catch (const std::exception& error) {
;           // sent again by the next run
;       }
;   }

(catch_clause body: (compound_statement) @body
  (#not-holds? @body "^(?!(continue|empty)_statement|{TODO_COMMENT})")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
