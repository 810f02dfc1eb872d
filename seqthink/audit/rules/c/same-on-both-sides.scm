; A comparison of something with itself says nothing; one of the sides was meant to be another.
;
; Bad:
;   int f(void) {
; >     return a->price == a->price;
;   }
;
; Good:
;   int f(void) {
;       return a->price == b->price;
;   }
;
; Also: cpp

(binary_expression left: (_) @a operator: ["==" "!="] right: (_) @b
  (#eq? @a @b)
  (#match? @a "^[\\w.>-]+$")
  (#set! comment "Both sides are the same; correct one of them.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
