; Deserializing creates the objects that the data names, and runs their code.
;
; Bad:
;   class A {
;       Object f() throws Exception {
; >         return in.readObject();
;       }
;   }
;
; Good:
;   class A {
;       Cart f() throws Exception {
;           return mapper.readValue(body, Cart.class);
;       }
;   }

(method_invocation object: (_) @o name: (identifier) @f
  (#match? @f "^read(Object|Unshared)$")
  (#match? @o "(?i)^(ois|in|input|stream|objectin.*|.*objectinputstream.*)$")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
