; Code after a jump in the same block never runs; mostly it is in the wrong place.
;
; Bad:
;   def price(item):
;       return item.price
; >     log(item)
;
; Bad:
;   for item in cart:
;       continue
; >     send(item)
;
; Good:
;   def price(item):
;       if not item:
;           return 0
;       return item.price
;
; Good:
;   def empty():
;       return
;       yield
;
; Bad:
;   def price(item):
;       return item.price
; >     yield send(item)
;
; Bad:
;   def price(item):
;       return total
; >     def total():
;           return item.price
;
; Bad:
;   def price(item):
;       return item.price
; >     raise NotImplementedErrors(item)

(block [(return_statement) (raise_statement)] . (_) @here @after
  (#not-kind-match? @after "^comment$")
  (#not-match? @after "^(;|yield(\\s+[^\\s(]+)?$)")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))

(block [(break_statement) (continue_statement)] . (_) @here @after
  (#not-kind-match? @after "^comment$")
  (#not-match? @after "^(;|yield(\\s+[^\\s(]+)?$)"))
