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
;
; Bad:
;   <?php
; > $cart = unserialize($text, ['allowed_classes' => true]);
; > $cart = unserialize($text, ['max_depth' => 3]);
;
; Good:
;   <?php
;   $cart = unserialize($text, ['max_depth' => 3, 'allowed_classes' => [Cart::class]]);

(function_call_expression function: (name) @f arguments: (arguments . (argument) .)
  (#eq? @f "unserialize")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(function_call_expression function: (name) @f arguments: (arguments . (argument) .
    (argument (array_creation_expression) @options))
  (#eq? @f "unserialize")
  (#not-holds? @options "^array_element_initializer .allowed_classes.\\s*=>(?!\\s*(?i:true)\\b)")) @here
