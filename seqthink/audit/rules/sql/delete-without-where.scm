; Without a condition, every row of the table goes.
;
; Bad:
; > DELETE FROM users;
;
; Good:
;   DELETE FROM users WHERE id = 1;

(statement (delete) (from) @from
  (#not-match? @from "(?i)\\b(where|using|limit)\\b")
  (#set! comment "Deletes every row; add a WHERE, or write TRUNCATE if that is meant.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
