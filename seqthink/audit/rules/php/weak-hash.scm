; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
;   <?php
; > $digest = md5($body);
;
; Bad:
;   <?php
; > $digest = hash('sha1', $body);
;
; Good:
;   <?php
;   $digest = hash('sha256', $body);
;   $stored = password_hash($password, PASSWORD_DEFAULT);

(function_call_expression function: (name) @f
  (#any-of? @f "md5" "sha1" "md5_file" "sha1_file")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(function_call_expression function: (name) @f arguments: (arguments . (argument (_) @name))
  (#any-of? @f "hash" "hash_hmac")
  (#match? @name "(?i)^.(md5|sha1).$")) @here
