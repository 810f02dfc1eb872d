; A `%n` or `%s` in the text reads and writes memory.
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
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list . (identifier) @value .)
  (#eq? @f "printf")
  (#set! comment "Untrusted text is used as the format; print it with \"%s\".")
  (#set! dimension "security")
  (#set! cost "serious")) @here
