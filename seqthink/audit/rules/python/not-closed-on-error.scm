; A file that is closed only when all goes well stays open after an error.
;
; Bad:
;   def load(path):
; >     file = open(path)
;       text = file.read()
;       file.close()
;       print(text)
;
; Good:
;   def load(path):
;       file = open(path)
;       try:
;           print(file.read())
;       finally:
;           file.close()
;
; Bad:
;   def load(path):
; >     file = open(path)
;       # closed by an except or finally
;       try:
;           text = json.load(file)
;       except ValueError:
;           text = ""
;       file.close()
;       return text
;
; Bad:
;   def load(path):
; >     file = open(path)
;       try:
;           lock()
;       finally:
;           other.close()
;       file.close()
;       return file.name
;
; Good:
;   def load(path):
;       file = open(path)
;       with file:
;           return file.read()
;
; Good:
;   def load(path):
;       global log
;       log = open(path)
;       print("opened")
;       log.close()
;
; Good:
;   def load(path):
;       file = open(path)
;       print("opened")
;       return Store(file)

(expression_statement (assignment left: (identifier) @name right: (call function: (_) @f)) @here
  (#match? @f "^(io\\.|gzip\\.|socket\\.)?(open|socket|create_connection)$|^(sqlite3|psycopg2?)\\.connect$")
  ; closed, which another rule looks at
  (#not-never-used-after? @name "{PYTHON_CLOSED}")
  ; closed in a handler, or by what it was registered with
  (#never-used-after? @name "{PYTHON_HANDLED} ")
  ; passed on, returned or stored
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?(closing|put(?!s\\(|conn)|{REGISTERING}|{CONSTRUCTOR})\\w*\\($")
  (#never-used-after? @name "(^|clause )({PYTHON_STORED})")
  (#never-around? @name "\\b(global|nonlocal)\\b[\\w\\s,]*\\b{name}\\b")
  (#set! comment "Not closed when something raises: use \"with\" or a finally block.")
  (#set! dimension "correctness")
  (#set! cost "minor"))

(expression_statement (assignment left: (identifier) @name right: (call function: (_) @f)) @here
  (#match? @f "^(?!sqlite3|psycopg)\\w+\\.connect$")
  (#never-used-after? @name "{PYTHON_HANDLED} ")
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?(closing|put(?!s\\(|conn)|{REGISTERING}|{CONSTRUCTOR})\\w*\\($")
  (#never-used-after? @name "(^|clause )({PYTHON_STORED})")
  (#never-around? @name "\\b(global|nonlocal)\\b[\\w\\s,]*\\b{name}\\b"))
