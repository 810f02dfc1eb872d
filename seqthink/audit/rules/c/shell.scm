; A shell gives signs such as `;` and `$(...)` a meaning: a name in the command can become a command.
;
; Bad:
;   void f(char *command) {
; >     system(command);
;   }
;
; Good:
;   void f(void) {
;       system("clear");
;   }
;
; Bad:
;   void f(int argc) {
; >     system(ARGS[1]);
; >     system(COMMAND(1));
;   }
;
; Good:
;   void f(void) {
;       system("ls " "-l " FOLDER);
;       system(CLEAR);
;   }
;
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list . (_) @value)
  (#match? @f "^(std::)?(system|popen)$")
  (#not-every-part? @value "^[A-Z][A-Z0-9_]+$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
