; Unpacking creates the objects that the data names: who writes the data decides what runs.
;
; Bad:
; > cart = Marshal.load(body)
;
; Bad:
; > cart = YAML.unsafe_load(body)
;
; Good:
;   cart = JSON.parse(body)
;   config = YAML.safe_load(text)

(call receiver: (constant) @module method: (identifier) @f
  (#eq? @module "Marshal")
  (#any-of? @f "load" "restore")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call receiver: (constant) @module method: (identifier) @f
  (#any-of? @module "YAML" "Psych")
  (#eq? @f "unsafe_load")) @here
