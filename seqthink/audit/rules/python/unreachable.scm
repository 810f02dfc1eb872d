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

(block [(return_statement) (raise_statement)] . (_) @here @after
  (#not-kind-match? @after "comment|function|class|type_")
  (#not-match? @after "^(yield\\b|;|raise NotImplementedError)")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))

(block [(break_statement) (continue_statement)] . (_) @here @after
  (#not-kind-match? @after "comment|function|class|type_")
  (#not-match? @after "^(yield\\b|;|raise NotImplementedError)"))
