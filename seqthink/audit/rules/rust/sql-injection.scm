; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   fn f() {
; >     let text = format!("SELECT id FROM users WHERE name = '{name}'");
;   }
;
; Good:
;   fn f() {
;       let rows = sqlx::query("SELECT id FROM users WHERE name = $1").bind(name);
;   }
;
; Good:
;   fn f() {
;       let text = format!("SELECT id FROM {TABLE} WHERE data = '{{}}'");
;   }

(macro_invocation macro: (identifier) @f (token_tree . (string_literal) @sql)
  (#eq? @f "format")
  (#match? @sql "(?<!\\{)\\{(?!\\{|[A-Z][A-Z0-9_]*\\})")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
