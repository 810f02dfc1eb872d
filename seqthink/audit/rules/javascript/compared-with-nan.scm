; NaN is equal to nothing, not even to NaN: the comparison is always false (or always true).
;
; Bad:
; > if (price === NaN) { price = 0; }
;
; Good:
;   if (Number.isNaN(price)) { price = 0; }
;
; Bad:
; > if (NaN === price) { price = 0; }
;
; Also: typescript, tsx

(binary_expression operator: ["==" "===" "!=" "!=="] right: (_) @value
  (#match? @value "^(Number\\.)?NaN$")
  (#set! comment "Nothing equals NaN; use Number.isNaN().")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(binary_expression left: (_) @value operator: ["==" "===" "!=" "!=="]
  (#match? @value "^(Number\\.)?NaN$")) @here
