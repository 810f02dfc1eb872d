; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   void f(void) {
; >     curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
;   }
;
; Bad:
;   void f(void) {
; >     SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
;   }
;
; Good:
;   void f(void) {
;       curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
;   }
;
; Bad:
;   void f(void) {
; >     curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST,
;           0);
;   }
;
; Good:
;   void f(void) {
;       SSL_CTX_set_verify(context, SSL_VERIFY_PEER, check /* not SSL_VERIFY_NONE */);
;   }
;
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list (identifier) @option . (_) @value)
  (#eq? @f "curl_easy_setopt")
  (#any-of? @option "CURLOPT_SSL_VERIFYPEER" "CURLOPT_SSL_VERIFYHOST")
  (#match? @value "^(0L?|false)$")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(call_expression function: (_) @f arguments: (argument_list (identifier) @value)
  (#any-of? @f "SSL_CTX_set_verify" "SSL_set_verify")
  (#eq? @value "SSL_VERIFY_NONE")) @here
