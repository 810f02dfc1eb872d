; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
; > digest = hashlib.md5(body).hexdigest()
;
; Good:
;   digest = hashlib.sha256(body).hexdigest()
;
; Without: ruff

(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
  (#eq? @module "hashlib")
  (#any-of? @f "md5" "sha1")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
