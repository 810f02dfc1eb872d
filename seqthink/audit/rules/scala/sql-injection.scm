; A value with a quote in it ends the text of the query and goes on as SQL.
; Interpolators such as `sql` pass the values as parameters; `s` does not.
;
; Bad:
;   object A {
;     def f(name: String) = {
; >     val text = s"SELECT id FROM users WHERE name = '$name'"
;     }
;   }
;
; Good:
;   object A {
;     def f(name: String) = {
;       val rows = sql"SELECT id FROM users WHERE name = $name"
;     }
;   }

(interpolated_string_expression interpolator: (identifier) @kind (interpolated_string (interpolation)) @sql
  (#any-of? @kind "s" "f" "raw")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
