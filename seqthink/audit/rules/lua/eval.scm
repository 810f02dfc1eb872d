; Who writes the text decides what runs, with all rights of the program.
;
; Bad:
; > loadstring(text)()
;
; Good:
;   local total = tonumber(text)
;   local run = load("return 1")
;
; Bad:
; > local run = load("return " .. text)
;
; Good:
;   local run = load("return " .. "1")

(function_call name: (identifier) @f
    arguments: (arguments . [(identifier) (binary_expression) (function_call) (dot_index_expression)] @value)
  (#not-every-part? @value "^[A-Z][A-Z0-9_]+$")
  (#any-of? @f "loadstring" "load" "dostring")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
