; NaN is equal to nothing, not even to NaN: the comparison is always false (or always true).
;
; Bad:
;   class A {
;       boolean f(double price) {
; >         return price == Double.NaN;
;       }
;   }
;
; Good:
;   class A {
;       boolean f(double price) {
;           return Double.isNaN(price);
;       }
;   }
;
; Bad:
;   class A {
;       boolean f(double price) {
; >         return Double.NaN == price;
;       }
;   }

(binary_expression operator: ["==" "!="] right: (field_access) @value
  (#match? @value "[.]NaN$")
  (#set! comment "Nothing equals NaN; use isNaN().")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(binary_expression left: (field_access) @value operator: ["==" "!="]
  (#match? @value "[.]NaN$")) @here
