; NaN is equal to nothing, not even to NaN: the comparison is always false (or always true).
;
; Bad:
;   int f(double price) {
; >     return price == NAN;
;   }
;
; Good:
;   int f(double price) {
;       return isnan(price);
;   }
;
; Bad:
;   int f(double price) {
; >     return NAN != price;
;   }
;
; Also: cpp

(binary_expression operator: ["==" "!="] right: (identifier) @b
  (#eq? @b "NAN")
  (#set! comment "Nothing equals NaN; use isnan().")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(binary_expression left: (identifier) @b operator: ["==" "!="]
  (#eq? @b "NAN")) @here
