; Without a condition, every row of the table changes.
;
; Bad:
; > UPDATE users SET name = 'ann';
;
; Good:
;   UPDATE users SET name = 'ann' WHERE id = 1;
;
; Bad:
; > UPDATE users SET note = 'see where' /* limit */;
;
; Good:
;   UPDATE users JOIN carts ON users.id = carts.id SET carts.name = users.name;

(statement . (update) @here
  (#not-holds? @here "^(where|limit|join) ")
  (#set! comment "Changes every row; add a WHERE.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
