; The command is taken apart at its blanks, or by a shell: a name in it can become another argument or command.
;
; Bad:
;   class A {
;       void f() throws IOException {
; >         Runtime.getRuntime().exec("rm " + name);
;       }
;   }
;
; Bad:
;   class A {
;       void f() throws IOException {
; >         new ProcessBuilder("sh", "-c", "rm " + name).start();
;       }
;   }
;
; Good:
;   class A {
;       void f() throws IOException {
;           new ProcessBuilder("rm", "--", name).start();
;       }
;   }

(method_invocation object: (_) @o name: (identifier) @f arguments: (argument_list . (binary_expression
    operator: "+"))
  (#eq? @f "exec")
  (#match? @o "untime")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(object_creation_expression type: (_) @f arguments: (argument_list . (string_literal) @shell .
    (string_literal) @flag . (_) @value)
  (#eq? @f "ProcessBuilder")
  (#match? @shell "^\"(/bin/)?(ba)?sh\"$")
  (#eq? @flag "\"-c\"")
  (#not-match? @value "^(\"([^\"\\\\]|\\\\.)*\"|\\d+|[^a-z]*[A-Z][^a-z]*)$")) @here
