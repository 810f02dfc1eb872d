; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
; > let text = "SELECT id FROM users WHERE name = '\(name)'"
;
; Good:
;   let rows = try db.run("SELECT id FROM users WHERE name = ?", name)

((line_string_literal interpolation: (_)) @here
  (#match? @here "(?s)^\\W*{SQL}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))
