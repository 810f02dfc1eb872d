; NaN is equal to nothing, not even to NaN: the comparison is always false (or always true).
;
; Bad:
;   fn f() {
; >     let is_bad = price == f64::NAN;
;   }
;
; Good:
;   fn f() {
;       let is_bad = price.is_nan();
;   }
;
; Bad:
;   fn f() {
; >     let is_bad = f64::NAN == price;
;   }

(binary_expression operator: ["==" "!="] right: (scoped_identifier) @b
  (#match? @b "::NAN$")
  (#set! comment "Nothing equals NaN; use is_nan().")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(binary_expression left: (scoped_identifier) @b operator: ["==" "!="]
  (#match? @b "::NAN$")) @here
