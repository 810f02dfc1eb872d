; Without a check of the certificate or the host's name, anyone on the network can answer in the server's place.
;
; Bad:
;   class A {
; >     public void checkServerTrusted(X509Certificate[] chain, String type) {
;       }
;   }
;
; Bad:
;   class A {
;       void f() {
; >         connection.setHostnameVerifier((host, session) -> true);
;       }
;   }
;
; Bad:
;   class A {
;       void f() {
; >         builder.setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE);
;       }
;   }
;
; Good:
;   class A {
;       void f() {
;           builder.setSSLContext(SSLContexts.createDefault());
;       }
;   }
;
; Bad:
;   class A {
; >     public void checkServerTrusted(X509Certificate[] chain, String type) {
;           // every certificate will do
;       }
;   }
;
; Bad:
;   class A {
;       void f() {
; >         connection.setHostnameVerifier((hostname, session) -> { return true; });
;       }
;   }
;
; Good:
;   class A {
;       public void checkServerTrusted(X509Certificate[] chain, String type) {
;           manager.checkServerTrusted(chain, type);
;       }
;       void f() {
;           sessions.filter(session -> true);
;       }
;   }

(method_declaration name: (identifier) @f body: (block) @body
  (#match? @f "^check(Server|Client)Trusted$")
  (#not-holds? @body "^(?!\\w*comment|return_statement return\\s*;)")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(lambda_expression parameters: [(inferred_parameters (identifier) @p . (identifier) .) (formal_parameters
    (formal_parameter name: (identifier) @p) . (formal_parameter) .)] body: [(true) (block . (return_statement (true)) .)]
  (#match? @p "(?i)^host")) @here

((identifier) @here
  (#any-of? @here "NoopHostnameVerifier" "TrustAllStrategy" "ALLOW_ALL_HOSTNAME_VERIFIER"))
