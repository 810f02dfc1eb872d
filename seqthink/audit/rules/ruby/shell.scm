; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
; > system("rm #{name}")
;
; Bad:
; > files = `ls #{folder}`
;
; Good:
;   system("rm", "--", name)
;   files = `ls`

(call !receiver method: (identifier) @f
    arguments: (argument_list . [(string (interpolation)) (binary operator: "+")] .)
  (#any-of? @f "system" "exec" "spawn")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(subshell (interpolation)) @here
