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
;
; Bad:
;   class A {
;       void f() throws IOException {
; >         new ProcessBuilder("sh", "-c", "rm \"" + name + "\"").start();
;       }
;   }
;
; Good:
;   class A {
;       void f() throws IOException {
;           Runtime.getRuntime().exec("ls " + "-l " + FOLDER);
;           new ProcessBuilder("sh", "-c", "ls " + FOLDER).start();
;       }
;   }

(method_invocation object: (_) @o name: (identifier) @f arguments: (argument_list . (binary_expression
    operator: "+") @value)
  (#eq? @f "exec")
  (#match? @o "untime")
  (#not-every-part? @value "{CONSTANT}")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(object_creation_expression type: (_) @f arguments: (argument_list . (string_literal) @shell .
    (string_literal) @flag . (_) @value)
  (#eq? @f "ProcessBuilder")
  (#match? @shell "^\"(/bin/)?(ba)?sh\"$")
  (#eq? @flag "\"-c\"")
  (#not-every-part? @value "{CONSTANT}")) @here
