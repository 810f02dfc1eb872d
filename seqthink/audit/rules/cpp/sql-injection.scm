; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   void f(std::string name) {
; >     run("SELECT id FROM users WHERE name = '" + name + "'");
;   }
;
; Good:
;   void f(std::string name) {
;       run("SELECT id FROM users WHERE name = ?", name);
;   }
;
; Good:
;   void f() {
;       run("SELECT id FROM users " + WHERE + " ORDER BY id");
;   }

((binary_expression left: (_) @sql @here operator: "+") @all
  (#match? @sql "(?s)^\\W*{SQL}")
  (#not-every-part? @all "^(std::string|string)[({]$|{CONSTANT}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))
