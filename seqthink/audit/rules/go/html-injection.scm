; These types switch the escaping of html/template off: text of users becomes markup.
;
; Bad:
;   func f() {
; > 	page.Body = template.HTML(comment)
;   }
;
; Good:
;   func f() {
;   	page.Body = comment
;   	page.Head = template.HTML("<b>fixed</b>")
;   }

(call_expression function: (_) @f arguments: (argument_list . (_) @value)
  (#match? @f "^template[.](HTML|JS|URL|HTMLAttr)$")
  (#not-match? @value "^(\"([^\"\\\\]|\\\\.)*\"|`[^`]*`|\\d+|[^a-z]*[A-Z][^a-z]*)$")
  (#set! comment "Text becomes markup here; assign it as text or sanitize it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(type_conversion_expression type: (_) @f operand: (_) @value
  (#match? @f "^template[.](HTML|JS|URL|HTMLAttr)$")
  (#not-match? @value "^(\"([^\"\\\\]|\\\\.)*\"|`[^`]*`|\\d+|[^a-z]*[A-Z][^a-z]*)$")) @here
