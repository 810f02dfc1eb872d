; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         var query = new SqlCommand("SELECT id FROM users WHERE name = '" + name + "'", db);
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         Run($"SELECT id FROM users WHERE name = '{name}'");
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           var query = new SqlCommand("SELECT id FROM users WHERE name = @name", db);
;           query.Parameters.AddWithValue("@name", name);
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         Run("SELECT id FROM users " + "WHERE name = '" + name + "'");
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           Run("SELECT id FROM users " + "WHERE name = @name" + ORDER);
;           Run($"SELECT id FROM {nameof(Users)}");
;       }
;   }

((binary_expression left: (_) @sql operator: "+") @here
  (#match? @sql "^[$@]*\"")
  (#match? @sql "(?s)^[$@sf]*\\W*{SQL}")
  (#not-every-part? @here "{CONSTANT}|^nameof\\($")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

((interpolated_string_expression (interpolation)) @here
  (#match? @here "(?s)^[$@sf]*\\W*{SQL}")
  (#not-every-part? @here "{CONSTANT}|^nameof\\($"))
