; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block that says why is enough; `TODO` does not say why.
;
; Bad:
;   class A {
;       void f() {
;           try {
;               ship();
; >         } catch (IOException error) {
;           }
;       }
;   }
;
; Good:
;   class A {
;       void f() {
;           try {
;               ship();
;           } catch (IOException error) {
;               throw new IllegalStateException(error);
;           }
;       }
;   }
;
; Good:
;   class A {
;       void f() {
;           try {
;               ship();
;           } catch (IOException expected) {
;           }
;       }
;   }
;
; Bad:
;   class A {
;       void f() {
;           try {
;               ship();
; >         } catch (IOException error) {
;               // TODO Auto-generated catch block
;           }
;       }
;   }
;
; Bad:
;   class A {
;       void f() {
;           try {
;               ship();
; >         } catch (IOException unexpected) {
;           }
;       }
;   }
;
; Good:
;   class A {
;       void f() {
;           try {
;               ship();
;           } catch (IOException error) {
;               // sent again by the next run
;           }
;       }
;   }

(catch_clause (catch_formal_parameter name: (_) @name) body: (block) @body
  (#not-match? @name "^(expected|ignored?|unused|_+)$")
  (#not-holds? @body "^(?!(continue|empty)_statement|(expression_statement )?(null|undefined)\\b|{TODO_COMMENT})")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
