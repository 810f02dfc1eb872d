; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
; > cursor.execute(f"SELECT id FROM users WHERE name = '{name}'")
;
; Good:
;   cursor.execute("SELECT id FROM users WHERE name = %s", (name,))
;
; Without: ruff

(call function: (attribute attribute: (identifier) @f) arguments: (argument_list . (string (string_content) @sql
    (interpolation)))
  (#match? @f "^execute")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
