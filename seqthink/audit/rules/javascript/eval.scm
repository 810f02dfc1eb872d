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
; Bad:
; > const total = eval("(" + text + ")");
;
; Bad:
; > const run = new Function("item", "return " + text);
;
; Good:
;   const root = new Function("return this")();
;   const one = eval("1 + " + "1");
;
; Also: typescript, tsx

(call_expression function: (identifier) @f arguments: (arguments . (_) @value)
  (#eq? @f "eval")
  (#not-every-part? @value "{CONSTANT}")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(new_expression constructor: (identifier) @f arguments: (arguments (_) @value)
  (#eq? @f "Function")
  (#not-every-part? @value "{CONSTANT}")) @here

(call_expression function: (identifier) @f arguments: (arguments . (_) @value)
  (#match? @f "^set(Timeout|Interval)$")
  (#match? @value "^[\"'`]")) @here
