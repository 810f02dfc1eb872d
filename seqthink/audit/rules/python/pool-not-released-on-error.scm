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
;
; Bad:
;   def load():
; >     conn = pool.acquire()
;       try:
;           rows = run(conn, query)
;       except ValueError:
;           rows = []
;       conn.release()
;       return rows
;
; Good:
;   def load():
;       conn = pool.getconn()
;       try:
;           print(conn.run(query))
;       finally:
;           pool.putconn(conn)

(expression_statement (assignment left: (identifier) @name right: [(call function: (_) @f) (await (call
    function: (_) @f))]) @here
  (#match? @f "(?i:pool)\\w*\\.(acquire|getconn|get_connection)$|^(\\w+\\.)?Pool$")
  ; closed, which another rule looks at
  (#not-never-used-after? @name "{PYTHON_CLOSED}")
  ; closed in a handler, or by what it was registered with
  (#never-used-after? @name "{PYTHON_HANDLED} ")
  ; passed on, returned or stored
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?(closing|put(?!s\\(|conn)|{REGISTERING}|{CONSTRUCTOR})\\w*\\($")
  (#never-used-after? @name "(^|clause )({PYTHON_STORED})")
  (#never-around? @name "\\b(global|nonlocal)\\b[\\w\\s,]*\\b{name}\\b")
  (#set! comment "Not released when something raises: use \"with\" or a finally block.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
