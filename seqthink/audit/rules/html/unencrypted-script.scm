; Anyone on the network can put another program in the script's place.
;
; Bad:
; > <script src="http://example.com/cart.js"></script>
;
; Good:
;   <script src="https://example.com/cart.js"></script>

(script_element (start_tag (attribute (attribute_name) @name (quoted_attribute_value
    (attribute_value) @value)) @here)
  (#eq? @name "src")
  (#match? @value "(?i)^http://")
  (#not-match? @value "(?i)^http://(localhost|127[.])")
  (#set! comment "The script comes unencrypted; load it by https.")
  (#set! dimension "security")
  (#set! cost "serious"))
