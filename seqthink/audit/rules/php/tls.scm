; Without a check of the certificate, anyone on the network can answer in the server's place.
;
; Bad:
;   <?php
; > curl_setopt($handle, CURLOPT_SSL_VERIFYPEER, false);
;
; Bad:
;   <?php
; > $options = ['verify_peer' => false];
;
; Good:
;   <?php
;   curl_setopt($handle, CURLOPT_SSL_VERIFYPEER, true);
;
; Bad:
;   <?php
; > $options = [CURLOPT_SSL_VERIFYPEER => 0];

(function_call_expression function: (name) @f
    arguments: (arguments (argument (name) @key) (argument [(boolean) (integer)] @value))
  (#eq? @f "curl_setopt")
  (#any-of? @key "CURLOPT_SSL_VERIFYPEER" "CURLOPT_SSL_VERIFYHOST")
  (#match? @value "(?i)^(false|0)$")
  (#set! comment "Certificates are not verified; turn verification on.")
  (#set! dimension "security")
  (#set! cost "grave")) @here

(array_element_initializer (_) @key [(boolean) (integer)] @value
  (#match? @key "^.?(verify_peer|verify_peer_name|CURLOPT_SSL_VERIFYPEER|verify).?$")
  (#match? @value "(?i)^(false|0)$")) @here
