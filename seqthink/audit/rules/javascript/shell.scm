; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
; > exec(`rm ${name}`);
;
; Bad:
; > child_process.execSync("rm " + name);
;
; Good:
;   execFile("rm", ["--", name]);
;   const match = pattern.exec(text);
;
; Good:
;   exec("ls " + "-l");
;   exec(`ls ${FOLDER}`);
;
; Also: typescript, tsx

(call_expression function: (_) @f arguments: (arguments . [(template_string (template_substitution))
    (binary_expression operator: "+")] @value)
  (#match? @f "(^|child_process\\.|cp\\.)(exec|execSync|execAsync|execPromise)$")
  (#not-every-part? @value "^[A-Z][A-Z0-9_]+$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
