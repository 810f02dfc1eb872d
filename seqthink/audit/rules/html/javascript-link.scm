; Such a link is a program in the page: it forbids a strict content security policy, and cannot be opened elsewhere.
;
; Bad:
; > <a href="javascript:go()">Go</a>
;
; Good:
;   <button type="button" id="go">Go</button>
;
; Bad:
; > <a href="javascript:void(go())">Go</a>
; > <a HREF="javascript:;go()">Go</a>
;
; Good:
;   <a href="javascript:void(0)">Go</a>
;   <a href="javascript:;">Go</a>

((attribute (attribute_name) @name (quoted_attribute_value (attribute_value) @value)) @here
  (#match? @name "(?i)^(href|src|(form)?action)$")
  (#match? @value "(?i)^\\s*javascript:")
  (#not-match? @value "(?i)^\\s*javascript:\\s*(void\\s*(0|\\(\\s*0?\\s*\\)))?\\s*;?\\s*$")
  (#set! comment "A link that is a program; use a button and a listener.")
  (#set! dimension "security")
  (#set! cost "minor"))
