; Without a safe loader, `yaml.load` can create any object that the text names.
;
; Bad:
; > config = yaml.load(text)
;
; Good:
;   config = yaml.safe_load(text)
;   other = yaml.load(text, Loader=yaml.SafeLoader)
;
; Bad:
; > config = yaml.load(text, Loader=yaml.UnsafeLoader)
; > other = yaml.load(text, yaml.Loader)
;
; Good:
;   config = yaml.load(text, yaml.CSafeLoader)
;
; Without: ruff

(call function: (attribute object: (identifier) @module attribute: (identifier) @f) arguments: (argument_list .
    (_) .)
  (#eq? @module "yaml")
  (#eq? @f "load")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(call function: (attribute object: (identifier) @module attribute: (identifier) @f) arguments: (argument_list . (_) .
    [(keyword_argument value: (_) @loader) (attribute) @loader (identifier) @loader])
  (#eq? @module "yaml")
  (#eq? @f "load")
  (#match? @loader "^yaml[.]C?(Unsafe|Full)?Loader$|^C?(Unsafe|Full)Loader$")) @here
