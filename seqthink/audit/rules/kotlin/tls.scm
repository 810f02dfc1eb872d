; Without a check of the certificate or the host's name, anyone on the network can answer in the server's place.
;
; Bad:
;   class T : X509TrustManager {
; >     override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {}
;   }
;
; Bad:
;   fun f(name: String) {
; >     connection.hostnameVerifier = HostnameVerifier { _, _ -> true }
;   }
;
; Good:
;   fun f(name: String) {
;       connection.sslSocketFactory = context.socketFactory
;   }
;
; Bad:
;   class T : X509TrustManager {
; >     override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {
;           // every certificate will do
;       }
; >     override fun checkClientTrusted(chain: Array<X509Certificate>, type: String) = Unit
;   }
;
; Bad:
;   fun f(name: String) {
; >     connection.hostnameVerifier = HostnameVerifier { _, _ -> /* any */ true }
;   }
;
; Good:
;   class T : X509TrustManager {
;       override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {
;           manager.checkServerTrusted(chain, type)
;       }
;   }

(function_declaration name: (identifier) @f (function_body) @body
  (#any-of? @f "checkServerTrusted" "checkClientTrusted")
  (#not-holds? @body "^(?!block|return_expression return$|identifier Unit$|\\w*comment)")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

((_ (annotated_lambda (lambda_literal) @body)) @here
  (#match? @here "^\\w*HostnameVerifier\\b")
  (#match? @body "(->|[{])(\\s|//[^\\n]*\\n|/[*].*?[*]/)*true(\\s|//[^\\n]*\\n|/[*].*?[*]/)*[}]$"))
