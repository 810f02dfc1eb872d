; One equals sign assigns: the condition is the new value, and the old one is lost.
;
; Bad:
; > if (state = "done") { stop(); }
;
; Good:
;   if (state === "done") { stop(); }
;
; Good:
;   while ((match = pattern.exec(text))) { add(match); }
;
; Also: typescript, tsx

(if_statement condition: (parenthesized_expression (assignment_expression)) @here
  (#set! comment "An assignment as a condition; compare with \"==\".")
  (#set! dimension "correctness")
  (#set! cost "serious"))
