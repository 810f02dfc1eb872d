; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   fun f(name: String) {
; >     val rows = db.rawQuery("SELECT id FROM users WHERE name = '$name'", null)
;   }
;
; Bad:
;   fun f(name: String) {
; >     val text = "DELETE FROM carts WHERE id = " + id
;   }
;
; Good:
;   fun f(name: String) {
;       val rows = db.rawQuery("SELECT id FROM users WHERE name = ?", arrayOf(name))
;   }

((string_literal) @here
  (#match? @here "(?s)^\\W*(SELECT\\b.+\\bFROM|INSERT\\s+INTO|UPDATE\\b.+\\bSET|DELETE\\s+FROM|(DROP|ALTER|CREATE)\\s+(TABLE|USER)|select\\b.+\\bfrom|insert\\s+into|update\\b.+\\bset|delete\\s+from)\\b")
  (#match? @here "[$]([a-zA-Z_]|[{])")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

((binary_expression left: (string_literal) @sql operator: "+") @here
  (#match? @sql "(?s)^\\W*(SELECT\\b.+\\bFROM|INSERT\\s+INTO|UPDATE\\b.+\\bSET|DELETE\\s+FROM|(DROP|ALTER|CREATE)\\s+(TABLE|USER)|select\\b.+\\bfrom|insert\\s+into|update\\b.+\\bset|delete\\s+from)\\b"))
