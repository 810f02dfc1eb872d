; Without a loader, `yaml.load` can create any object that the text names.
;
; Bad:
; > config = yaml.load(text)
;
; Good:
;   config = yaml.safe_load(text)
;   other = yaml.load(text, Loader=yaml.SafeLoader)
;
; Without: ruff

(call function: (attribute object: (identifier) @module attribute: (identifier) @f) arguments: (argument_list .
    (_) .)
  (#eq? @module "yaml")
  (#eq? @f "load")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "grave")) @here
