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
  (#not-never-used-after? @name "(^|clause )([.](?!(?i:is|has|was|get))|(\\w+[.])*)\\w*(?i:close|release|dispose|free(?!z)|shutdown|terminate|join|putconn|disconnect)\\w*\\(")
  ; closed in a handler, or by what it was registered with
  (#never-used-after? @name "(finally|except)\\w*_clause ([.](?!(?i:is|has|was|get))\\w*(?i:close|release|dispose|free(?!z)|shutdown|terminate|join|detach|disconnect)\\w*\\(|\\S*(?i:close|release|putconn)\\w*\\()|(^|clause )[.]\\w*(?i:close|release|shutdown)\\w* ")
  ; passed on, returned or stored
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?(closing|put(?!s\\(|conn)|end|delete|append|push|add|register|enter_context|callback|defer|insert|store|(?!\\w*(Error|Exception)\\()_?[A-Z])\\w*\\($")
  (#never-used-after? @name "(^|clause )(return|yield|send|(assignment|named_expression) (right|value)|pair|keyword_argument|dictionary|list\\b(?! splat)|tuple|set\\b|with_item|as_pattern|lambda)")
  (#never-around? @name "\\b(global|nonlocal)\\b[\\w\\s,]*\\b{name}\\b")
  (#set! comment "Not released when something raises: use \"with\" or a finally block.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
