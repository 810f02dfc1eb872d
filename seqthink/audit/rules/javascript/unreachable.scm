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
; Bad:
;   function price(item) {
;     return item.price;
; > class Price {}
;   }
;
; Bad:
;   function price(item) {
;     return item.price;
; > breakUp(item);
;   }
;
; Good:
;   function price(item) {
;     switch (item.kind) {
;       case "gift": {
;         return 0;
;         break;
;       }
;     }
;   }
;
; Also: typescript, tsx

(statement_block [(return_statement) (throw_statement) (break_statement) (continue_statement)] .
    (_) @here @after
  (#not-kind-match? @after "comment$|^(generator_)?function_declaration$|^(function_signature|labeled_statement|empty_statement|break_statement)$|^(interface|type_alias|ambient)_declaration$")
  (#set! comment "Never reached; remove it or move it before the jump.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
