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
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list . (_) @value)
  (#match? @f "^(std::)?(system|popen)$")
  (#not-match? @value "^((\"([^\"\\\\]|\\\\.)*\"\\s*)+|\\d+|[^a-z]*[A-Z][^a-z]*)$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
