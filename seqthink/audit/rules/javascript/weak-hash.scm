; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
; > const digest = crypto.createHash("md5").update(body).digest("hex");
;
; Bad:
; > const mark = CryptoJS.SHA1(body);
;
; Good:
;   const digest = crypto.createHash("sha256").update(body).digest("hex");
;
; Also: typescript, tsx

(call_expression function: (_) @f arguments: (arguments . (string (string_fragment) @name))
  (#match? @f "create(Hash|Hmac)$")
  (#match? @name "(?i)^(md5|sha-?1|md4|rmd160)$")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(call_expression function: (_) @f
  (#match? @f "^(md5|sha1|CryptoJS\\.(MD5|SHA1))$")) @here
