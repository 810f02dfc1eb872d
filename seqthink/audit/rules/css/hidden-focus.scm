; Who uses the keyboard no longer sees where on the page they are.
;
; Bad:
; > :focus { outline: none; }
;
; Good:
;   :focus { outline: 2px solid blue; }
;   a { outline: none; }
;
; Bad:
; > :focus { outline: none; border: none; border-radius: 3px; /* background */ }
; > :focus { outline: 0; background: transparent; }
;
; Good:
;   :focus { outline: none; box-shadow: 0 0 0 2px blue; }
;   :focus { outline: 0; border-color: blue; }

(rule_set (selectors (pseudo_class_selector (class_name) @class)) (block) @body
  (#match? @class "^focus(-visible)?$")
  (#holds? @body "(?i)^declaration outline\\s*:\\s*(none|0)\\s*(;|!|$)")
  (#not-holds? @body "(?i)^declaration (box-shadow|border(-(top|right|bottom|left))?(-color|-style|-width)?|background(-color|-image)?)\\s*:(?!\\s*(none|0|transparent|inherit|initial|unset)\\s*(;|!|$))")
  (#set! comment "The keyboard's focus cannot be seen; give it another mark.")
  (#set! dimension "clarity")
  (#set! cost "minor")) @here
