; `%s` without a width reads a word of any length into a buffer of one.
;
; Bad:
;   void f(void) {
;       char name[20];
; >     scanf("%s", name);
;   }
;
; Good:
;   void f(void) {
;       char name[20];
;       scanf("%19s", name);
;   }
;
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list . (string_literal) @value)
  (#match? @f "^f?scanf$")
  (#match? @value "%s")
  (#set! comment "Reads past the end when the text is long; give %s a width.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
