; When the code between raises, the lock stays held, and everybody else waits for ever.
;
; Bad:
;   def add(item):
; >     self.lock.acquire()
;       self.items.append(item)
;       self.lock.release()
;
; Good:
;   def add(item):
;       with self.lock:
;           self.items.append(item)
;
; Good:
;   def add(item):
;       self.lock.acquire()
;       try:
;           self.items.append(item)
;       finally:
;           self.lock.release()
;
; Bad:
;   def add(item):
; >     self.lock.acquire()
;       try_count = self.items.append(item)
;       self.lock.release()
;
; Bad:
;   def add(item):
; >     self.lock.acquire()
;       try:
;           self.items.append(item)
;       except ValueError:
;           log("release")
;       self.lock.release()
;
; Good:
;   def add(item):
;       self.lock.acquire()
;       # one at a time
;       try:
;           self.items.append(item)
;       finally:
;           self.lock.release()

(block (expression_statement (call function: (attribute object: (_) @name attribute: (identifier) @f))) @here .
    (comment)* . (_) @next
  (#eq? @f "acquire")
  (#match? @name "(?i)(lock|mutex|sem\\w*)$")
  (#not-kind-match? @next "^comment$")
  (#not-holds? @next "^(finally|except)_clause (?s:.*)\\brelease\\(")
  (#set! comment "The lock stays held when something raises: use \"with\" or a finally block.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
