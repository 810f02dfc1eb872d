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
; Also: cpp

(call_expression function: (_) @f arguments: (argument_list) @value
  (#any-of? @f "curl_easy_setopt" "SSL_CTX_set_verify" "SSL_set_verify")
  (#match? @value "SSL_VERIFY(PEER|HOST), *(0L?|false)|SSL_VERIFY_NONE")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here
