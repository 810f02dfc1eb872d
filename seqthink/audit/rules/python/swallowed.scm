; Nobody learns that something went wrong, and the program goes on with what it has not.
;
; Bad:
;   try:
;       ship(order)
; > except Exception:
;       pass
;
; Good:
;   try:
;       ship(order)
;   except Exception:
;       log.exception("not shipped")
;       raise
;
; Without: ruff

(except_clause (block . (pass_statement) .)
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
