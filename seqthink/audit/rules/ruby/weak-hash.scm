; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
; > digest = Digest::MD5.hexdigest(body)
;
; Bad:
; > digest = OpenSSL::Digest::SHA1.new
;
; Good:
;   digest = Digest::SHA256.hexdigest(body)

(scope_resolution scope: (_) @scope name: (constant) @name
  (#match? @scope "^(::)?(OpenSSL::)?Digest$")
  (#any-of? @name "MD5" "SHA1")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
