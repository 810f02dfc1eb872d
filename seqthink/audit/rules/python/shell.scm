; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
; > os.system("rm " + name)
;
; Bad:
; > subprocess.run(command, shell=True)
;
; Good:
;   subprocess.run(["rm", "--", name], check=True)
;
; Without: ruff

(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
  (#eq? @module "os")
  (#any-of? @f "system" "popen")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call arguments: (argument_list (keyword_argument name: (identifier) @name value: (true)) @here)
  (#eq? @name "shell"))
