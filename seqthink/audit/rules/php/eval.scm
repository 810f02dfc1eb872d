; Who writes the text decides what runs, with all rights of the program.
;
; Bad:
;   <?php
; > eval($code);
;
; Good:
;   <?php
;   $total = json_decode($text);

(function_call_expression function: (name) @f
  (#eq? @f "eval")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
