; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
; > db.query(`SELECT id FROM users WHERE name = '${name}'`);
;
; Bad:
; > const text = "DELETE FROM carts WHERE id = " + id;
;
; Good:
;   db.query("SELECT id FROM users WHERE name = $1", [name]);
;
; Bad:
; > db.query("SELECT id FROM users " + "WHERE name = " + db.escape(name) + " OR id = " + id);
; > db.query(`SELECT id FROM ${TABLE} WHERE name = '${name}'`);
;
; Good:
;   db.query("SELECT id FROM users " + "WHERE name = $1", [name]);
;   db.query(`SELECT id FROM ${TABLE} WHERE name = ${db.escape(name)}`);
;
; Also: typescript, tsx

([
    (arguments (template_string (template_substitution)) @sql @here)
    (variable_declarator value: (template_string (template_substitution)) @sql @here)
    (assignment_expression right: (template_string (template_substitution)) @sql @here)
    (return_statement (template_string (template_substitution)) @sql @here)
  ]
  (#match? @sql "(?s)^\\W*{SQL}")
  (#not-every-part? @sql "{CONSTANT}|(?i:escape|quote)\\w*\\($")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

((binary_expression left: (_) @sql @here operator: "+") @all
  (#not-every-part? @all "{CONSTANT}|(?i:escape|quote)\\w*\\($")
  (#match? @sql "^[\"'`]")
  (#match? @sql "(?s)^\\W*{SQL}"))
