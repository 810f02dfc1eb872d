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

((string (interpolation) @value) @here
  (#not-match? @value "^#\\{\\s*(['\"]|([\\w@]+\\.)*(quote|sanitize)\\w*\\b|([\\w@]+\\.)*\\w*table_name\\s*\\})")
  (#match? @here "(?s)^\\W*(SELECT\\b.+\\bFROM|INSERT\\s+INTO|UPDATE\\b.+\\bSET|DELETE\\s+FROM|(DROP|ALTER|CREATE)\\s+(TABLE|USER)|select\\b.+\\bfrom|insert\\s+into|update\\b.+\\bset|delete\\s+from)\\b")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

(call method: (identifier) @f arguments: (argument_list . (string (interpolation)) .)
  (#any-of? @f "where" "find_by_sql" "having" "order")) @here
