; A comparison with NULL is neither true nor false: no row is found.
;
; Bad:
; > SELECT id FROM users WHERE name = NULL;
;
; Good:
;   SELECT id FROM users WHERE name IS NULL;
;   UPDATE users SET name = NULL WHERE id = 1;

((binary_expression right: (literal) @value) @here
  (#match? @value "(?i)^null$")
  (#match? @here "(?i)(=|<>|!=)\\s*null$")
  (#set! comment "Nothing equals NULL; write \"IS NULL\" or \"IS NOT NULL\".")
  (#set! dimension "correctness")
  (#set! cost "serious"))
