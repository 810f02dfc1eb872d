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
;
; Bad:
;   def load(path):
; >     archive = zipfile.ZipFile(path)
;       # archive.close()
;       print("archive.close()", ",".join(archive.namelist()), f"{archive.filename}")
;       if archive.is_closed():
;           raise ValueError(archive)
;       with lock:
;           print(os.path.join(path, archive.filename))
;
; Bad:
;   def load(path):
; >     db = sqlite3.connect(path)
;       db.execute("SELECT 1")
;       db.rollback()
;       db.cursor().close()
;
; Bad:
;   def load(path):
; >     file = open(path)
;       file = open(path + "~")
;       try:
;           print(file.read())
;       finally:
;           file.close()
;
; Bad:
;   def load(path):
; >     file = open(path)
;       for other in files:
;           close = lambda file: file.close()
;           close(other)
;
; Good:
;   def load(path):
;       file = open(path)
;       atexit.register(file.close)
;       return file.read()
;
; Good:
;   def load(path):
;       global log
;       log = open(path)
;       print("opened")
;
; Good:
;   def load(path):
;       db = sqlite3.connect(path)
;       with closing(db):
;           return Rows(db.execute("SELECT 1"))

(expression_statement (assignment left: (identifier) @name right: [(call function: (_) @f) (await (call
    function: (_) @f))]) @here
  (#match? @f "(^socket\\.(socket|create_connection)|^sqlite3\\.connect|^psycopg2?\\.connect|(?i:pool)\\w*\\.(acquire|getconn|get_connection)|\\.acquire_connection|^(ThreadPoolExecutor|ProcessPoolExecutor|Pool|multiprocessing\\.Pool)|^(io\\.|builtins\\.|gzip\\.|codecs\\.|tarfile\\.|zipfile\\.)?(open|ZipFile))$")
  ; closed
  (#never-used-after? @name "(^|clause )[.]{CLOSING}(\\w*\\(| )")
  ; passed on
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?({CLOSER}|put(?!s\\()|{REGISTERING}|{CONSTRUCTOR})\\w*\\($")
  ; returned or stored
  (#never-used-after? @name "(^|clause )({PYTHON_STORED})")
  (#never-around? @name "\\b(global|nonlocal)\\b[\\w\\s,]*\\b{name}\\b")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
