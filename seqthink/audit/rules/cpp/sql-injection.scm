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
  (#match? @sql "(?s)^\\W*(SELECT\\b.+\\bFROM|INSERT\\s+INTO|UPDATE\\b.+\\bSET|DELETE\\s+FROM|(DROP|ALTER|CREATE)\\s+(TABLE|USER)|select\\b.+\\bfrom|insert\\s+into|update\\b.+\\bset|delete\\s+from)\\b")
  (#not-every-part? @all "^(std::string|string)[({]$|^(\\w+([.]|::))*[A-Z][A-Z0-9_]+$")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))
