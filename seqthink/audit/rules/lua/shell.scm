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
;
; Bad:
; > os.execute("cp " .. quote(from) .. " " .. to)
;
; Good:
;   os.execute("ls " .. "-l " .. FOLDER)
;   os.execute("cp " .. shell_quote(from) .. " " .. shell_quote(to))

(function_call name: (dot_index_expression) @f arguments: (arguments . (binary_expression) @value)
  (#any-of? @f "os.execute" "io.popen")
  (#not-every-part? @value "^[A-Z][A-Z0-9_]+$|(?i:(?<!un)(quote|escape))\\w*\\($")
  (#set! comment "A shell runs what the text says; quote each name, or call the function without a shell.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
