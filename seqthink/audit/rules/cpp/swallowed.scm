; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block says why and is enough.
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

(catch_clause body: (compound_statement) @body
  (#match? @body "^([\\s{}();]|continue)*$")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
