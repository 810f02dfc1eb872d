; `forEach` ignores the promises: it ends before they do, and their errors go unseen.
;
; Bad:
; > items.forEach(async (item) => { await save(item); });
;
; Good:
;   await Promise.all(items.map(async (item) => save(item)));
;
; Also: typescript, tsx

(call_expression function: (member_expression property: (property_identifier) @f) arguments: (arguments .
    (arrow_function "async"))
  (#eq? @f "forEach")
  (#set! comment "forEach does not wait for async functions; use for...of or Promise.all.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
