; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
;   <?php
; > system("rm " . $name);
;
; Bad:
;   <?php
; > $files = shell_exec("ls $folder");
;
; Good:
;   <?php
;   system("clear");
;   $files = shell_exec("ls " . escapeshellarg($folder));

(function_call_expression function: (name) @f
    arguments: (arguments . (argument [(variable_name) (subscript_expression) (binary_expression
    operator: ".") (encapsed_string (variable_name))] @value))
  (#any-of? @f "system" "exec" "shell_exec" "passthru" "popen" "proc_open")
  (#not-match? @value "escapeshell(arg|cmd)")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
