; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   class A {
;       void f(String name) {
; >         run("SELECT id FROM users WHERE name = '" + name + "'");
;       }
;   }
;
; Bad:
;   class A {
;       void f(String name) {
; >         run(String.format("SELECT id FROM users WHERE name = '%s'", name));
;       }
;   }
;
; Good:
;   class A {
;       void f(String name) throws SQLException {
;           PreparedStatement query = connection.prepareStatement("SELECT id FROM users WHERE name = ?");
;           query.setString(1, name);
;       }
;   }
;
; Bad:
;   class A {
;       void f(String name) {
; >         run("SELECT id FROM users " + "WHERE name = '" + name + "'");
;       }
;   }
;
; Good:
;   class A {
;       void f(String name) {
;           run("SELECT id FROM users " + "WHERE name = ?" + Users.ORDER);
;       }
;   }

((binary_expression left: (_) @sql @here operator: "+") @all
  (#not-every-part? @all "{CONSTANT}")
  (#match? @sql "^\"")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

(method_invocation object: (identifier) @o name: (identifier) @f arguments: (argument_list .
    (string_literal) @sql . (_))
  (#eq? @o "String")
  (#eq? @f "format")
  (#match? @sql "(?s)^\\W*{SQL}")) @here
