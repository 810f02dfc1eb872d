; Who writes the text decides what runs, with all rights of the program.
;
; Bad:
; > total = eval(text)
;
; Bad:
; > exec(code)
;
; Good:
;   total = ast.literal_eval(text)
;
; Without: ruff

(call function: (identifier) @f
  (#any-of? @f "eval" "exec")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
