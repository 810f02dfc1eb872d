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
;
; Bad:
;   func f() {
; > 	page.Body = template.HTML("<b>" + comment + "</b>")
; > 	page.Head = template.HTML(ARGS[1])
; > 	page.Foot = template.HTML(html.EscapeString(name) + comment)
;   }
;
; Good:
;   func f() {
;   	page.Body = template.HTML("<b>" + html.EscapeString(comment) + "</b>")
;   	page.Head = template.HTML(HEAD + `<i>fixed</i>`)
;   }

(call_expression function: (_) @f arguments: (argument_list . (_) @value)
  (#match? @f "^template[.](HTML|JS|URL|HTMLAttr)$")
  (#not-every-part? @value "^(\\w+[.])?[A-Z][A-Z0-9_]+$|(?i:(?<!un)(sanitiz|escap)\\w*)\\($")
  (#set! comment "Text becomes markup here; assign it as text or sanitize it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(type_conversion_expression type: (_) @f operand: (_) @value
  (#match? @f "^template[.](HTML|JS|URL|HTMLAttr)$")
  (#not-every-part? @value "^(\\w+[.])?[A-Z][A-Z0-9_]+$|(?i:(?<!un)(sanitiz|escap)\\w*)\\($")) @here
