; The trace goes to stderr, where no log keeps it, and the program goes on as if nothing had happened.
;
; Bad:
;   class A {
;       void f() {
;           try {
;               ship();
;           } catch (IOException error) {
; >             error.printStackTrace();
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
;               log.error("not shipped", error);
;           }
;       }
;   }

(method_invocation name: (identifier) @f arguments: (argument_list) @value
  (#eq? @value "()")
  (#eq? @f "printStackTrace")
  (#set! comment "Prints the error and continues; log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "minor")) @here
