; Without a condition, every row of the table goes.
;
; Bad:
; > DELETE FROM users;
;
; Good:
;   DELETE FROM users WHERE id = 1;
;
; Bad:
; > DELETE FROM users /* where */;
;
; Bad:
; > DELETE FROM "where";
;
; Good:
;   DELETE FROM users LIMIT 10;

(statement (delete) (from) @from
  (#not-holds? @from "^(where|limit|join) ")
  (#set! comment "Deletes every row; add a WHERE, or write TRUNCATE if that is meant.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
