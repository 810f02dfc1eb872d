; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
;   func f() {
; > 	run(exec.Command("sh", "-c", "rm "+name))
;   }
;
; Good:
;   func f() {
;   	run(exec.Command("rm", "--", name))
;   	run(exec.Command("sh", "-c", "ls | wc -l"))
;   }

(call_expression function: (_) @f arguments: (argument_list . (_) @shell . (_) @flag . (_) @value)
  (#eq? @f "exec.Command")
  (#match? @shell "^[\"`](/bin/)?(ba|z)?sh[\"`]$")
  (#match? @flag "^[\"`]-l?c[\"`]$")
  (#not-match? @value "^(\"([^\"\\\\]|\\\\.)*\"|`[^`]*`|\\d+|[^a-z]*[A-Z][^a-z]*)$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
