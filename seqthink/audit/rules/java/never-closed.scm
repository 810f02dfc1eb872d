; Files and connections are limited; what is not closed is lost until the program ends.
; Nothing is said where the method closes it, returns it, passes it on or stores it, nor where only a part of the
; method is shown.
;
; Bad:
;   class A {
;       void f(String path) throws IOException {
; >         FileReader reader = new FileReader(path);
;           System.out.println(reader.read());
;       }
;   }
;
; Good:
;   class A {
;       void f(String path) throws IOException {
;           try (FileReader reader = new FileReader(path)) {
;               System.out.println(reader.read());
;           }
;       }
;   }
;
; Good:
;   class A {
;       void f(Path path) throws IOException {
;           BufferedReader reader = Files.newBufferedReader(path);
;           System.out.println(reader.readLine());
;           reader.close();
;       }
;   }

((local_variable_declaration declarator: (variable_declarator name: (identifier) @name value: [
    (object_creation_expression type: (_) @f) (method_invocation) @f])) @here
  (#match? @f "^(File(In|Out)putStream|FileReader|FileWriter|Socket|ServerSocket|RandomAccessFile|Scanner|BufferedReader|PrintWriter)$|([cC]onnection|[dD]ata[sS]ource|[pP]ool|conn|ds|DriverManager)[.](getConnection|borrowObject)[(]|Files[.](newBufferedReader|newInputStream|newBufferedWriter|newOutputStream)[(]")
  ; closed
  (#never-after? @here "\\b\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)\\w*\\s*\\([^)]*\\b{name}\\b")
  (#never-after? @here "\\b{name}\\s*\\??\\.\\s*(\\w+\\.)*(\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)|end)\\w*\\s*\\(")
  ; passed on
  (#never-after? @here "\\b(put(?!s\\b)|end|delete|append|push|add|register|enter_context|callback|defer|insert|store)\\w*\\s*\\([^)\\n]*\\b{name}\\b")
  (#never-after? @here "(?:=|\\breturn)\\s*(?:await\\s+)?(?:new\\s+)?(?:\\w+\\.)*_?[A-Z]\\w*\\([^)\\n]*\\b{name}\\b")
  ; returned or stored
  (#never-after? @here "\\b(return|yield)\\s+[\\w&{*:,\\s]*\\b{name}\\b(?!\\s*[.(\\[])")
  (#never-after? @here "[=:]\\s*[&*]?{name}\\s*([,;)}\\n]|$)")
  (#never-after? @here "[{\\[][^}\\]\\n]*\\b{name}\\b[^}\\]\\n(]*[}\\]]")
  ; taken over by a statement
  (#never-after? @here "\\b(try)\\b\\s*\\(?[^\\n]*\\b{name}\\b")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
