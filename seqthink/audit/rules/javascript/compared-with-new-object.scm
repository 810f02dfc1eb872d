; Objects and arrays are compared by identity, and this one was made just now.
;
; Bad:
; > if (cart === []) { stop(); }
;
; Good:
;   if (cart.length === 0) { stop(); }
;
; Bad:
; > if ([] === cart) { stop(); }
;
; Also: typescript, tsx

(binary_expression operator: ["==" "===" "!=" "!=="] right: [(array) (object)]
  (#set! comment "A new object is never equal to anything; compare contents.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(binary_expression left: [(array) (object)] operator: ["==" "===" "!=" "!=="]) @here
