; The closing tag must have the name of the opening one.
;
; Bad:
; > const title = <h1>Cart</h2>;
;
; Good:
;   const title = <h1>Cart</h1>;
;
; Also: tsx

(jsx_element open_tag: (jsx_opening_element name: (_) @a) close_tag: (jsx_closing_element name: (_) @b)
  (#not-eq? @a @b)
  (#set! comment "The opening and closing tags differ; make them the same.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
