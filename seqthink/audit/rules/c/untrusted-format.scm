; A `%n` or `%s` in the text reads and writes memory. A name in capitals is a fixed text.
;
; Bad:
;   void f(char *name) {
; >     printf(name);
;   }
;
; Good:
;   void f(char *name) {
;       printf("%s", name);
;   }
;
; Good:
;   void f(void) {
;       printf(USAGE);
;   }
;
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list . (identifier) @value .)
  (#eq? @f "printf")
  (#not-match? @value "^[A-Z][A-Z0-9_]+$")
  (#set! comment "Untrusted text is used as the format; print it with \"%s\".")
  (#set! dimension "security")
  (#set! cost "serious")) @here
