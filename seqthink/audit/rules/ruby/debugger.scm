; It stops the program until somebody types, on a server for ever.
;
; Bad:
; > binding.pry
;
; Bad:
; > byebug
;
; Good:
;   binding.local_variables
;
; Bad:
;     def debugger
; >   byebug
;       @debugger
;     end
;
; Bad:
; > byebug if order.late?
;
; Good:
;   debugger = Debugger.new(order)
;   debugger.start
;   run(debugger)

(call receiver: (identifier) @receiver method: (identifier) @f
  (#eq? @receiver "binding")
  (#any-of? @f "pry" "irb" "break")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here

((_ (identifier) @here) @around
  (#any-of? @here "byebug" "debugger")
  (#kind-match? @around "^(program|body_statement|block_body|then|else|begin|ensure|(if|unless)_modifier)$"))
