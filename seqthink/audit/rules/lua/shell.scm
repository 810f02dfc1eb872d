; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
; > os.execute("rm " .. name)
;
; Bad:
; > local files = io.popen("ls " .. folder)
;
; Good:
;   os.execute("clear")

(function_call name: (dot_index_expression) @f arguments: (arguments . (binary_expression))
  (#any-of? @f "os.execute" "io.popen")
  (#set! comment "A shell runs what the text says; quote each name, or call the function without a shell.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
