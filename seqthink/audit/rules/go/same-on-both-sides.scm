; A comparison of something with itself says nothing; one of the sides was meant to be another.
;
; Bad:
;   func f() {
; > 	if a.Price == a.Price {
;   		use(a)
;   	}
;   }
;
; Good:
;   func f() {
;   	if a.Price == b.Price {
;   		use(a)
;   	}
;   }

(binary_expression left: (_) @a operator: ["==" "!="] right: (_) @b
  (#eq? @a @b)
  (#match? @a "^[\\w.]+$")
  (#set! comment "Both sides are the same; correct one of them.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
