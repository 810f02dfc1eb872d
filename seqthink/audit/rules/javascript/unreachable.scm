; Code after a jump in the same block never runs; mostly it is in the wrong place.
;
; Bad:
;   function price(item) {
;     return item.price;
; >   log(item);
;   }
;
; Good:
;   function price(item) {
;     return total();
;     function total() { return item.price; }
;   }
;
; Also: typescript, tsx

(statement_block [(return_statement) (throw_statement) (break_statement) (continue_statement)] .
    (_) @here @after
  (#not-kind-match? @after "comment|function|class|label|case|default|type_|interface|enum|empty")
  (#not-match? @after "^(;|break\\b)")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
