; People who see badly cannot make the page larger.
;
; Bad:
; > <meta name="viewport" content="width=device-width, user-scalable=no">
;
; Good:
;   <meta name="viewport" content="width=device-width">
;
; Good:
;   <meta name="viewport" content="width=device-width, maximum-scale=1.5">

((attribute (attribute_name) @name (quoted_attribute_value) @value) @here
  (#eq? @name "content")
  (#match? @value "user-scalable\\s*=\\s*(no|0)|maximum-scale\\s*=\\s*1([.]0*)?\\s*([,;\"']|$)")
  (#set! comment "Nobody can zoom into this page; drop the limit.")
  (#set! dimension "clarity")
  (#set! cost "minor"))
