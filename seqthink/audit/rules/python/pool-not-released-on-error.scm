; A connection that is not given back when something raises is lost; the pool is empty after a few errors.
;
; Bad:
;   def load():
; >     conn = pool.acquire()
;       rows = conn.run(query)
;       conn.release()
;       print(rows)
;
; Good:
;   def load():
;       conn = pool.acquire()
;       try:
;           print(conn.run(query))
;       finally:
;           conn.release()

(expression_statement (assignment left: (identifier) @name right: [(call function: (_) @f) (await (call
    function: (_) @f))]) @here
  (#match? @f "(?i:pool)\\w*\\.(acquire|getconn|get_connection)$|^(\\w+\\.)?Pool$")
  (#never-around? @here "\\bfinally\\b|\\bexcept\\b|\\bglobal\\s+{name}\\b")
  (#never-around? @here "\\breturn\\b[^\\n]*\\b{name}\\b|[=(,]\\s*{name}\\s*([,)\\n]|$)|\\bwith\\s+{name}\\b")
  (#set! comment "Not released when something raises: use \"with\" or a finally block.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
