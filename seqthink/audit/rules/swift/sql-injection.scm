; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
; > let text = "SELECT id FROM users WHERE name = '\(name)'"
;
; Good:
;   let rows = try db.run("SELECT id FROM users WHERE name = ?", name)

((line_string_literal interpolation: (_)) @here
  (#match? @here "(?s)^\\W*(SELECT\\b.+\\bFROM|INSERT\\s+INTO|UPDATE\\b.+\\bSET|DELETE\\s+FROM|(DROP|ALTER|CREATE)\\s+(TABLE|USER)|select\\b.+\\bfrom|insert\\s+into|update\\b.+\\bset|delete\\s+from)\\b")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))
