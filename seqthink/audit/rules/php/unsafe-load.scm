; Unpacking creates the objects that the data names: who writes the data decides what runs.
;
; Bad:
;   <?php
; > $cart = unserialize($_COOKIE['cart']);
;
; Good:
;   <?php
;   $cart = json_decode($body);
;   $plain = unserialize($text, ['allowed_classes' => false]);

(function_call_expression function: (name) @f arguments: (arguments . (argument) .)
  (#eq? @f "unserialize")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
