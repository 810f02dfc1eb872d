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

(call receiver: (identifier) @receiver method: (identifier) @f
  (#eq? @receiver "binding")
  (#any-of? @f "pry" "irb" "break")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here

((identifier) @here
  (#any-of? @here "byebug" "debugger")
  (#not-within-named? @here "^(byebug|debugger)$"))
