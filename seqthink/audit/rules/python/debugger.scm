; It stops the program until somebody types, on a server for ever.
;
; Bad:
; > breakpoint()
;
; Bad:
; > pdb.set_trace()
;
; Good:
;   logging.debug("here")
;
; Without: ruff

(call function: (identifier) @f
  (#eq? @f "breakpoint")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here

(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
  (#match? @module "^i?pdb$")
  (#eq? @f "set_trace")) @here
