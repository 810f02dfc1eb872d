; It prints into the page what users must not see, or stops there.
;
; Bad:
;   <?php
; > var_dump($order);
;
; Good:
;   <?php
;   error_log($order->id);

(function_call_expression function: (name) @f
  (#any-of? @f "var_dump" "xdebug_break" "dd")
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here
