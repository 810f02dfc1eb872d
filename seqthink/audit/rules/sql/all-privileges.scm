; Who takes over this user may read, change and drop everything.
;
; Bad:
; > GRANT ALL PRIVILEGES ON shop TO ann;
;
; Good:
;   GRANT SELECT ON orders TO ann;

((statement) @here
  (#match? @here "(?i)^grant\\s+all\\b")
  (#set! comment "Grants every right; grant only those needed.")
  (#set! dimension "security")
  (#set! cost "serious"))
