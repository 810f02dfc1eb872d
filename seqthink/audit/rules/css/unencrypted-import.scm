; Anyone on the network can change how the page looks, and read what is typed in it.
;
; Bad:
; > @import url("http://example.com/cart.css");
;
; Good:
;   @import url("https://example.com/cart.css");

((import_statement) @here
  (#match? @here "(?i)[\"'(]http://")
  (#not-match? @here "(?i)http://(localhost|127[.])")
  (#set! comment "The style sheet comes unencrypted; load it by https.")
  (#set! dimension "security")
  (#set! cost "serious"))
