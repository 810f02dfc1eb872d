; Without a condition, every row of the table changes.
;
; Bad:
; > UPDATE users SET name = 'ann';
;
; Good:
;   UPDATE users SET name = 'ann' WHERE id = 1;

(statement . (update) @here
  (#not-match? @here "(?i)\\b(where|limit|join)\\b")
  (#set! comment "Changes every row; add a WHERE.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
