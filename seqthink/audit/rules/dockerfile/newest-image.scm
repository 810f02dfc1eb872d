; The same file gives another image tomorrow, and nobody can tell which one failed.
;
; Bad:
; > FROM debian:latest
;
; Good:
;   FROM debian:12
;   FROM scratch

(from_instruction (image_spec tag: (image_tag) @tag)
  (#eq? @tag ":latest")
  (#set! comment "Builds on whatever is newest; name a version.")
  (#set! dimension "correctness")
  (#set! cost "minor")) @here
