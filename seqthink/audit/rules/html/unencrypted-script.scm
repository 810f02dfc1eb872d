; Anyone on the network can put another program in the script's place.
;
; Bad:
; > <script src="http://example.com/cart.js"></script>
;
; Good:
;   <script src="https://example.com/cart.js"></script>
;
; Bad:
; > <script src="http://localhost.example.com/cart.js"></script>
; > <script SRC=http://127.example.com/cart.js></script>
;
; Good:
;   <script src="http://localhost:8000/cart.js"></script>
;   <script src="http://127.0.0.1/cart.js"></script>

(script_element (start_tag (attribute (attribute_name) @name [(quoted_attribute_value
    (attribute_value) @value) (attribute_value) @value]) @here)
  (#match? @name "(?i)^src$")
  (#match? @value "(?i)^http://")
  (#not-match? @value "{LOOPBACK}")
  (#set! comment "The script comes unencrypted; load it by https.")
  (#set! dimension "security")
  (#set! cost "serious"))
