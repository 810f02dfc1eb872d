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
;
; Bad:
;   class A {
;       void f(String path) throws IOException {
; >         FileReader reader = new FileReader(path);
;           // reader.close();
;           log("reader.close()", names.join(reader.name()), String.join(",", reader.names()));
;           if (reader.isClosed()) {
;               throw new IOException(reader.name());
;           }
;       }
;   }
;
; Bad:
;   class A {
;       void f(String path) throws IOException {
; >         FileReader reader = new FileReader(path);
;           try (FileReader other = new FileReader(reader.path())) {
;               other.close();
;           }
;       }
;   }
;
; Good:
;   class A {
;       Lines f(String path) throws IOException {
;           FileReader reader = new FileReader(path);
;           return new Lines(new BufferedReader(reader));
;       }
;   }

((local_variable_declaration declarator: (variable_declarator name: (identifier) @name value: [
    (object_creation_expression type: (_) @f) (method_invocation) @f])) @here
  (#match? @f "^(File(In|Out)putStream|FileReader|FileWriter|Socket|ServerSocket|RandomAccessFile|Scanner|BufferedReader|PrintWriter)$|([cC]onnection|[dD]ata[sS]ource|[pP]ool|conn|ds|DriverManager)[.](getConnection|borrowObject)[(]|Files[.](newBufferedReader|newInputStream|newBufferedWriter|newOutputStream)[(]")
  ; closed
  (#never-used-after? @name "(^|clause )[.]{CLOSING}(\\w*\\(| )")
  ; passed on
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?({CLOSER}|put(?!s\\()|{REGISTERING}|{CONSTRUCTOR})\\w*\\($")
  ; returned or stored
  (#never-used-after? @name "(^|clause )(return|yield|send|assignment_expression right|variable_declarator value|array_initializer|resource\\b|lambda)")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
