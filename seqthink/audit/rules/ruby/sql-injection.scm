; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
; > db.execute("SELECT id FROM users WHERE name = '#{name}'")
;
; Bad:
; > User.where("name = '#{name}'")
;
; Good:
;   db.execute("SELECT id FROM users WHERE name = ?", [name])
;   User.where("name = ?", name)
;   execute("DELETE FROM #{quote_table_name(table)}")
;
; Bad:
; > db.execute("SELECT id FROM users WHERE name = #{'"' + name + '"'}")
; > db.execute("SELECT id FROM #{quote_table_name(table)} WHERE name = '#{name}'")
; > db.execute("SELECT id FROM users WHERE name = #{quote(title) + name}")
; > db.execute("SELECT id FROM users WHERE name = #{unquote(name)}")
;
; Good:
;   db.execute("SELECT #{'DISTINCT ' if is_short} id FROM #{self.class.table_name} WHERE id = #{id.to_i}")
;   User.order("#{connection.quote_column_name(column)} DESC")
;   User.where("#{quoted_table_name}.id IN (#{IDS})")

((string (interpolation)) @here
  (#match? @here "(?s)^\\W*{SQL}")
  (#not-every-part? @here "{CONSTANT}|(^|[.@])(quoted?_?|sanitize)\\w*\\(?$|(^|[.@])\\w*table_name\\(?$|[.]to_[if]\\($|^(Integer|Float)\\($")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

(call method: (identifier) @f arguments: (argument_list . (string (interpolation)) @sql .)
  (#any-of? @f "where" "find_by_sql" "having" "order")
  (#not-every-part? @sql "{CONSTANT}|(^|[.@])(quoted?_?|sanitize)\\w*\\(?$|(^|[.@])\\w*table_name\\(?$|[.]to_[if]\\($|^(Integer|Float)\\($")) @here
