; Who writes the text decides what runs, with all rights of the program.
;
; Bad:
; > const total = eval(text);
;
; Bad:
; > const run = new Function(text);
;
; Bad:
; > setTimeout("tick()", 100);
;
; Good:
;   const total = JSON.parse(text);
;   setTimeout(tick, 100);
;
; Also: typescript, tsx

(call_expression function: (identifier) @f arguments: (arguments . (_) @value)
  (#eq? @f "eval")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(new_expression constructor: (identifier) @f
  (#eq? @f "Function")) @here

(call_expression function: (identifier) @f arguments: (arguments . (_) @value)
  (#match? @f "^set(Timeout|Interval)$")
  (#match? @value "^[\"'`]")) @here
