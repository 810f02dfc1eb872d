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
;
; Bad:
; > system("rm #{name}", exception: true)
; > system("cp #{Shellwords.escape(from)} #{to}")
; > files = `ls #{folder} #{other.shellescape}`
;
; Good:
;   system("cp #{Shellwords.escape(from)} #{to.shellescape}")
;   files = `ls #{FOLDER} #{folder.shellescape}`
;   system("ls " + "-l")

(call !receiver method: (identifier) @f
    arguments: [
      (argument_list . [(string (interpolation)) (binary operator: "+")] @value .)
      (argument_list . [(string (interpolation)) (binary operator: "+")] @value . [(pair) (hash)])
    ]
  (#any-of? @f "system" "exec" "spawn")
  (#not-every-part? @value "{CONSTANT}|(?i:shell_?escape|shellwords[.](escape|join))\\(?|[.]to_i\\($|^(Integer|Float)\\($")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

((subshell (interpolation) @value) @here
  (#not-every-part? @value "{CONSTANT}|(?i:shell_?escape|shellwords[.](escape|join))\\(?|[.]to_i\\($|^(Integer|Float)\\($"))
