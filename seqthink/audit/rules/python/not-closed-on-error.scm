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

(expression_statement (assignment left: (identifier) @name right: (call function: (_) @f)) @here
  (#match? @f "^(io\\.|gzip\\.|socket\\.)?(open|socket|create_connection)$|^\\w+\\.connect$")
  (#never-around? @here "\\bfinally\\b|\\bexcept\\b|\\bglobal\\s+{name}\\b")
  (#never-around? @here "\\breturn\\b[^\\n]*\\b{name}\\b|[=(,]\\s*{name}\\s*([,)\\n]|$)|\\bwith\\s+{name}\\b")
  (#set! comment "Not closed when something raises: use \"with\" or a finally block.")
  (#set! dimension "correctness")
  (#set! cost "minor"))
