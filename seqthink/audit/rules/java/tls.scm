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

(method_declaration name: (identifier) @f body: (block) @body
  (#match? @f "^check(Server|Client)Trusted$")
  (#match? @body "^([\\s{}();]|continue|null)*$")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(lambda_expression parameters: (_) @p body: (true)
  (#match? @p "host|session")) @here

((identifier) @here
  (#any-of? @here "NoopHostnameVerifier" "TrustAllStrategy" "ALLOW_ALL_HOSTNAME_VERIFIER"))
