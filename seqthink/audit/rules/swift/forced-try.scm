; `try!` ends the whole program when the call throws.
;
; Bad:
; > let cart = try! load(path)
;
; Good:
;   let cart = try load(path)

(try_expression (try_operator) @operator
  (#eq? @operator "try!")
  (#set! comment "The program ends when this throws; use \"try\" with a catch.")
  (#set! dimension "correctness")
  (#set! cost "minor")) @here
