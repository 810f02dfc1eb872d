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
; Bad:
;   void f(const char *path) {
; >     FILE *file = fopen(path, "r");
;       /* fclose(file); */
;       puts("fclose(file)");
;       fclose(other);
;       log_it(file->name);
;   }
;
; Bad:
;   void f(const char *path) {
; >     FILE *file = fopen(path, "r");
;       file = fopen("other", "r");
;       fclose(file);
;   }
;
; Good:
;   void f(struct store *store, const char *path) {
;       FILE *file = fopen(path, "r");
;       store->file = file;
;   }
;
; Good:
;   char *f(void) {
;       char *text = malloc(20);
;       text[0] = 'a';
;       return text;
;   }
;
; Also: cpp

((declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name)
    value: [(call_expression function: (_) @f) (cast_expression value: (call_expression
    function: (_) @f))])) @here
  (#any-of? @f "fopen" "fdopen" "popen" "opendir" "malloc" "calloc" "realloc" "strdup")
  ; closed
  (#never-used-after? @name "(^|clause )[.]{CLOSING}(\\w*\\(| )")
  ; passed on
  (#never-used-after? @name "^(?!(v?s?n?f?printf|f?puts|str\\w+|mem\\w+|f?get\\w+|f?read|f?write|f?scanf|feof|ferror)\\()[\\w.>:-]+\\($")
  ; returned or stored
  (#never-used-after? @name "(^|clause )(return|yield|send|assignment_expression right|init_declarator value|initializer)")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
