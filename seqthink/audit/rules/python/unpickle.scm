; Unpickling calls what the data names: who writes the data decides what runs.
;
; Bad:
; > cart = pickle.loads(body)
;
; Good:
;   cart = json.loads(body)
;
; Without: ruff

(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
  (#any-of? @module "pickle" "marshal")
  (#match? @f "^loads?$")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
