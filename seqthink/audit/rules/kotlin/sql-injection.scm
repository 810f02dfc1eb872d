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
;
; Bad:
;   fun f(name: String) {
; >     val text = "DELETE FROM carts " + "WHERE id = " + id
; >     val other = "SELECT id FROM $TABLE WHERE name = '$name'"
;   }
;
; Good:
;   fun f(name: String) {
;       val text = "SELECT id FROM $TABLE WHERE id = ?" + ORDER
;       val other = "SELECT id FROM " + Users.TABLE + " WHERE price = '\$name'"
;   }

((string_literal) @here
  (#match? @here "(?s)^\\W*{SQL}")
  (#match? @here "(?<!\\\\)[$]([{]?[a-z_]|[{]?[A-Z][A-Z0-9_]*[a-z])")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

((binary_expression left: (_) @sql operator: "+") @here
  (#match? @sql "^\"")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#not-every-part? @here "{CONSTANT}"))
