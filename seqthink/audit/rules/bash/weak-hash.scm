; Two texts with the same MD5 or SHA-1 can be made in minutes to days.
;
; Bad:
; > md5sum release.tar
;
; Good:
;   sha256sum release.tar

(command name: (command_name) @f
  (#any-of? @f "md5sum" "sha1sum")
  (#set! comment "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash.")
  (#set! dimension "security")
  (#set! cost "minor")) @here
