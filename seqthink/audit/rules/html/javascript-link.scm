; Such a link is a program in the page: it forbids a strict content security policy, and cannot be opened elsewhere.
;
; Bad:
; > <a href="javascript:go()">Go</a>
;
; Good:
;   <button type="button" id="go">Go</button>

((attribute (attribute_name) @name (quoted_attribute_value (attribute_value) @value)) @here
  (#any-of? @name "href" "src" "action")
  (#match? @value "(?i)^\\s*javascript:")
  (#not-match? @value "(?i)^\\s*javascript:\\s*(void|;|$)")
  (#set! comment "A link that is a program; use a button and a listener.")
  (#set! dimension "security")
  (#set! cost "minor"))
