; `typeof` returns one of eight names (in old browsers also `unknown`); the comparison with another is never true.
;
; Bad:
; > if (typeof price === "Number") { add(price); }
;
; Good:
;   if (typeof price === "number") { add(price); }
;
; Bad:
; > if (typeof(price) === "Number") { add(price); }
;
; Also: typescript, tsx

(binary_expression left: (unary_expression operator: "typeof") operator: ["==" "===" "!=" "!=="] right: (string (string_fragment) @value)
  (#not-match? @value "^(string|number|boolean|object|function|undefined|symbol|bigint|unknown)$")
  (#set! comment "typeof never returns this; correct the name.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
