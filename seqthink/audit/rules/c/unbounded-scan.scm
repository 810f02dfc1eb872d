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
; Bad:
;   void f(FILE *file) {
;       char name[20];
; >     fscanf(file, "%d %s", &id, name);
; >     scanf("%[^,]", name);
;   }
;
; Good:
;   void f(void) {
;       scanf("%d%%s %*s", &id);
;   }
;
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list . (string_literal) @value)
  (#eq? @f "scanf")
  (#match? @value "(^|[^%])(%%)*%l?(s|\\[)")
  (#set! comment "Reads past the end when the text is long; give %s a width.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call_expression function: (_) @f arguments: (argument_list . (_) . (string_literal) @value)
  (#eq? @f "fscanf")
  (#match? @value "(^|[^%])(%%)*%l?(s|\\[)")) @here
