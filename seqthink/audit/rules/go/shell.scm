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
;
; Bad:
;   func f() {
; > 	run(exec.Command("sh", "-c", "ls \"" + name + "\""))
; > 	run(exec.CommandContext(ctx, "sh", "-c", ARGS[1]))
;   }
;
; Good:
;   func f() {
;   	run(exec.Command("sh", "-c", "ls " + "| wc -l " + FOLDER))
;   }

(call_expression function: (_) @f arguments: (argument_list . (_) @shell . (_) @flag . (_) @value)
  (#eq? @f "exec.Command")
  (#match? @shell "^[\"`](/bin/)?(ba|z)?sh[\"`]$")
  (#match? @flag "^[\"`]-l?c[\"`]$")
  (#not-every-part? @value "^(\\w+[.])?[A-Z][A-Z0-9_]+$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call_expression function: (_) @f arguments: (argument_list . (_) . (_) @shell . (_) @flag . (_) @value)
  (#eq? @f "exec.CommandContext")
  (#match? @shell "^[\"`](/bin/)?(ba|z)?sh[\"`]$")
  (#match? @flag "^[\"`]-l?c[\"`]$")
  (#not-every-part? @value "^(\\w+[.])?[A-Z][A-Z0-9_]+$")) @here
