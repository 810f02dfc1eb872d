; The text is copied whole, however little room there is: what lies behind is overwritten.
;
; Bad:
;   void f(char *name) {
;       char line[20];
; >     strcpy(line, name);
;   }
;
; Bad:
;   void f(int id) {
;       char line[20];
; >     sprintf(line, format, id);
;   }
;
; Bad:
;   void f(char *name) {
;       char line[20];
; >     sprintf(line, "%-8s", name);
;   }
;
; Good:
;   void f(char *name) {
;       char line[20];
;       snprintf(line, sizeof line, "%s", name);
;   }
;
; Good:
;   void f(int id) {
;       char line[20];
;       sprintf(line, "%d", id);
;   }
;
; Bad:
;   void f(wchar_t *name) {
;       char line[20];
; >     sprintf(line, "%ls", name);
; >     sprintf(line, "%%%s", name);
;   }
;
; Good:
;   void f(int id) {
;       char line[20];
;       sprintf(line, "%d%%s", id);
;       sprintf(line, "%.8s", name);
;   }
;
; Also: cpp

(call_expression function: (_) @f
  (#any-of? @f "gets" "strcpy" "strcat" "vsprintf")
  (#set! comment "Writes past the end when the text is long; use the call that takes a size.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call_expression function: (_) @f arguments: (argument_list . (_) . (_) @format)
  (#eq? @f "sprintf")
  (#match? @format "(^|[^%])(%%)*%[-+ #0-9*]*l?s|^[^\"]")) @here
