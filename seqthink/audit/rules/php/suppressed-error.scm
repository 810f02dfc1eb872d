; The sign `@` hides the warning that says why the call failed.
;
; Bad:
;   <?php
; > $file = @fopen($path, 'r');
;
; Good:
;   <?php
;   $file = fopen($path, 'r');
;   if ($file === false) {
;       stop();
;   }

((error_suppression_expression) @here
  (#set! comment "\"@\" hides the error; look at the result and handle it.")
  (#set! dimension "correctness")
  (#set! cost "minor"))
