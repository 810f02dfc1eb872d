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
;
; Bad:
;   <?php
; > system("cp " . escapeshellarg($from) . " " . $to);
; > $files = shell_exec("ls {$user->folder} " . escapeshellarg($folder));
; > exec("rm " . $name . " # escapeshellarg");
;
; Good:
;   <?php
;   system("kill " . (int) $pid . " " . intval($other));
;   exec("ls " . "-l " . FOLDER);
;   exec(escapeshellcmd($tool) . " " . escapeshellarg($path));

(function_call_expression function: (name) @f
    arguments: (arguments . (argument [(variable_name) (subscript_expression) (binary_expression
    operator: ".") (encapsed_string)] @value))
  (#any-of? @f "system" "exec" "shell_exec" "passthru" "popen" "proc_open")
  (#not-every-part? @value "^escapeshell(arg|cmd)\\($|^(\\w+(::|[.]))*[A-Z][A-Z0-9_]+$|^(int|float)val\\($|^\\(\\s*(int|float)")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
