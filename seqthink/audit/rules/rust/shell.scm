; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
;   fn f() {
; >     Command::new("sh").arg("-c").arg(format!("rm {name}")).status();
;   }
;
; Good:
;   fn f() {
;       Command::new("rm").arg("--").arg(name).status();
;   }
;
; Bad:
;   fn f() {
; >     Command::new("sh").arg("-c").arg(command).status();
; >     Command::new("sh").arg("-c").arg(&self.command).status();
;   }
;
; Good:
;   fn f() {
;       Command::new("sh").arg("-c").arg(COMMAND).status();
;       Command::new("sh").arg("-c").arg(&"ls").status();
;   }

(call_expression function: (field_expression value: (_) @shell field: (field_identifier) @f)
    arguments: (arguments . [(reference_expression) (macro_invocation) (identifier) (field_expression)] @value)
  (#eq? @f "arg")
  (#not-match? @value "^&?([A-Z][A-Z0-9_]+$|\")")
  (#match? @shell "Command::new\\(\"(/bin/)?(ba|z)?sh\"\\)\\s*\\.arg\\(\"-l?c\"\\)$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
