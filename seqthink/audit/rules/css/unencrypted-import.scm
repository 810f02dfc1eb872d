; Anyone on the network can change how the page looks, and read what is typed in it.
;
; Bad:
; > @import url("http://example.com/cart.css");
;
; Good:
;   @import url("https://example.com/cart.css");
;
; Bad:
; > @import url("http://localhost.example.com/cart.css");
; > @import "http://example.com/cart.css?by=http://localhost";
;
; Good:
;   @import url("http://localhost:8000/cart.css");

((import_statement [(string_value (string_content) @value) (call_expression (arguments [(string_value
    (string_content) @value) (plain_value) @value]))]) @here
  (#match? @value "(?i)^http://")
  (#not-match? @value "{LOOPBACK}")
  (#set! comment "The style sheet comes unencrypted; load it by https.")
  (#set! dimension "security")
  (#set! cost "serious"))
