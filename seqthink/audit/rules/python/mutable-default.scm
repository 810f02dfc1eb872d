; A default is made once, when the function is defined: what one call adds, the next one sees.
;
; Bad:
; > def add(item, cart=[]):
;       cart.append(item)
;
; Good:
;   def add(item, cart=None):
;       cart = cart or []
;       cart.append(item)
;
; Bad:
; > def add(item, cart: list[str] = []):
;       cart.append(item)
;
; Without: ruff

([(default_parameter value: [(list) (dictionary) (set)]) (typed_default_parameter value: [(list) (dictionary) (set)])] @here
  (#set! comment "A mutable default is shared by all calls; default to None and create it inside.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
