; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   void f(char *name) {
; >     snprintf(text, sizeof text, "SELECT id FROM users WHERE name = '%s'", name);
;   }
;
; Good:
;   void f(char *name) {
;       sqlite3_prepare_v2(db, "SELECT id FROM users WHERE name = ?", -1, &query, NULL);
;   }
;
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list (string_literal) @sql)
  (#match? @f "^(sn|s|as)printf$|format$")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
