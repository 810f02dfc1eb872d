; What the operating system hands out (files, sockets, connections) is limited, and written text may stay in a buffer.
; Nothing is said where the function closes it, returns it, passes it on or stores it, nor where only a part of the
; function is shown.
;
; Bad:
;   def load(path):
; >     archive = zipfile.ZipFile(path)
;       names = archive.namelist()
;       print(names)
;
; Bad:
;   async def load():
;       try:
; >         conn = await db_pool.acquire()
;           print(await conn.fetch(query))
;       except OSError:
;           raise
;
; Good:
;   def load(path):
;       with open(path) as file:
;           return file.read()
;
; Good:
;   def load(path):
;       conn = sqlite3.connect(path)
;       return conn
;
; Good:
;   class Store:
;       def __init__(self, path):
;           self.db = sqlite3.connect(path)
;           conn = psycopg2.connect(path)
;           self.conn = conn

(expression_statement (assignment left: (identifier) @name right: [(call function: (_) @f) (await (call
    function: (_) @f))]) @here
  (#match? @f "(^socket\\.(socket|create_connection)|^sqlite3\\.connect|^psycopg2?\\.connect|(?i:pool)\\w*\\.(acquire|getconn|get_connection)|\\.acquire_connection|^(ThreadPoolExecutor|ProcessPoolExecutor|Pool|multiprocessing\\.Pool)|^(io\\.|builtins\\.|gzip\\.|codecs\\.|tarfile\\.|zipfile\\.)?(open|ZipFile))$")
  ; closed
  (#never-after? @here "\\b\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)\\w*\\s*\\([^)]*\\b{name}\\b")
  (#never-after? @here "\\b{name}\\s*\\??\\.\\s*(\\w+\\.)*(\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)|end)\\w*\\s*\\(")
  ; passed on
  (#never-after? @here "\\b(put(?!s\\b)|end|delete|append|push|add|register|enter_context|callback|defer|insert|store)\\w*\\s*\\([^)\\n]*\\b{name}\\b")
  (#never-after? @here "(?:=|\\breturn)\\s*(?:await\\s+)?(?:new\\s+)?(?:\\w+\\.)*_?[A-Z]\\w*\\([^)\\n]*\\b{name}\\b")
  ; returned or stored
  (#never-after? @here "\\b(return|yield)\\s+[\\w&{*:,\\s]*\\b{name}\\b(?!\\s*[.(\\[])")
  (#never-after? @here "[=:]\\s*[&*]?{name}\\s*([,;)}\\n]|$)")
  (#never-after? @here "[{\\[][^}\\]\\n]*\\b{name}\\b[^}\\]\\n(]*[}\\]]")
  ; taken over by a statement
  (#never-after? @here "\\b(with|try|global|nonlocal)\\b\\s*\\(?[^\\n]*\\b{name}\\b")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
