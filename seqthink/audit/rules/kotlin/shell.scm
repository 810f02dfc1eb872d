; The command is taken apart at its blanks: a name in it can become another argument or command.
;
; Bad:
;   fun f(name: String) {
; >     Runtime.getRuntime().exec("rm " + name)
;   }
;
; Bad:
;   fun f(name: String) {
; >     Runtime.getRuntime().exec("rm $name")
;   }
;
; Good:
;   fun f(name: String) {
;       ProcessBuilder("rm", "--", name).start()
;   }
;
; Good:
;   fun f(name: String) {
;       Runtime.getRuntime().exec("date +%s")
;       Runtime.getRuntime().exec("ls " + "-l " + FOLDER)
;   }

(call_expression (navigation_expression) @f (value_arguments . (value_argument (binary_expression operator: "+") @value))
  (#match? @f "untime.*[.]exec$")
  (#not-every-part? @value "{CONSTANT}")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call_expression (navigation_expression) @f (value_arguments . (value_argument (string_literal) @value))
  (#match? @f "untime.*[.]exec$")
  (#match? @value "(?<!\\\\)[$]([a-zA-Z_]|[{])")) @here
