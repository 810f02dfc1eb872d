; Who uses the keyboard no longer sees where on the page they are.
;
; Bad:
; > :focus { outline: none; }
;
; Good:
;   :focus { outline: 2px solid blue; }
;   a { outline: none; }

(rule_set (selectors (pseudo_class_selector (class_name) @class)) (block) @body
  (#match? @class "^focus(-visible)?$")
  (#match? @body "(?i)outline\\s*:\\s*(none|0)\\s*[;}!]")
  (#not-match? @body "(?i)box-shadow|border|background")
  (#set! comment "The keyboard's focus cannot be seen; give it another mark.")
  (#set! dimension "clarity")
  (#set! cost "minor")) @here
