; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   func f() {
; > 	rows := db.Run(fmt.Sprintf("SELECT id FROM users WHERE name = '%s'", name))
;   	use(rows)
;   }
;
; Bad:
;   func f() {
; > 	use("DELETE FROM carts WHERE id = " + id)
;   }
;
; Good:
;   func f() {
;   	rows := db.Run("SELECT id FROM users WHERE name = $1", name)
;   	use(rows)
;   }
;
; Bad:
;   func f() {
; > 	use("SELECT id FROM carts" + " WHERE id = " + id)
;   }
;
; Good:
;   func f() {
;   	use("SELECT id FROM carts" + " WHERE id = ?" + ORDER)
;   }

(call_expression function: (_) @f arguments: (argument_list . (interpreted_string_literal) @sql . (_))
  (#match? @f "Sprintf$")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call_expression function: (_) @f arguments: (argument_list . (raw_string_literal) @sql . (_))
  (#match? @f "Sprintf$")
  (#match? @sql "(?s)^\\W*{SQL}")) @here

((binary_expression left: (_) @sql @here operator: "+") @all
  (#not-every-part? @all "^(\\w+[.])?[A-Z][A-Z0-9_]+$")
  (#match? @sql "^[\"`]")
  (#match? @sql "(?s)^\\W*{SQL}"))
