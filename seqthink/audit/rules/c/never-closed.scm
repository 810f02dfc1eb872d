; Memory and files are limited; what is not given back is lost until the program ends.
; Nothing is said where the function gives it back, returns it, passes it on or stores it, nor where only a part of the
; function is shown.
;
; Bad:
;   void f(const char *path) {
; >     FILE *file = fopen(path, "r");
;       if (file == NULL) {
;           puts("none");
;       }
;   }
;
; Bad:
;   void f(void) {
; >     char *text = malloc(20);
;       text[0] = 'a';
;   }
;
; Good:
;   void f(const char *path) {
;       FILE *file = fopen(path, "r");
;       if (file == NULL) {
;           return;
;       }
;       fclose(file);
;   }
;
; Also: cpp

((declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name)
    value: [(call_expression function: (_) @f) (cast_expression value: (call_expression
    function: (_) @f))])) @here
  (#any-of? @f "fopen" "fdopen" "popen" "opendir" "malloc" "calloc" "realloc" "strdup")
  ; closed
  (#never-after? @here "\\b\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)\\w*\\s*\\([^)]*\\b{name}\\b")
  (#never-after? @here "\\b{name}\\s*\\??\\.\\s*(\\w+\\.)*(\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)|end)\\w*\\s*\\(")
  ; passed on
  (#never-after? @here "\\b(put(?!s\\b)|end|delete|append|push|add|register|enter_context|callback|defer|insert|store)\\w*\\s*\\([^)\\n]*\\b{name}\\b")
  (#never-after? @here "\\b(?!(v?s?n?f?printf|f?puts|str\\w+|mem\\w+|f?get\\w+|f?read|f?write|f?scanf|sizeof|if|while|for|feof|ferror)\\s*\\()\\w+\\s*\\(([^()]|\\([^()]*\\))*\\b{name}\\b")
  ; returned or stored
  (#never-after? @here "\\b(return|yield)\\s+[\\w&{*:,\\s]*\\b{name}\\b(?!\\s*[.(\\[])")
  (#never-after? @here "[=:]\\s*[&*]?{name}\\s*([,;)}\\n]|$)")
  (#never-after? @here "[{\\[][^}\\]\\n]*\\b{name}\\b[^}\\]\\n(]*[}\\]]")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
