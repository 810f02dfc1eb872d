; A loop without an exit or a pause keeps a processor busy.
;
; Bad:
; > while true; do
;     touch seen
;   done
;
; Good:
;   while true; do
;     touch seen
;     sleep 60
;   done

(while_statement condition: (_) @value body: (do_group) @body
  (#match? @value "^(true|:)$")
  (#not-match? @body "\\b(break|return|exit|exec|recv|accept|next|sleep|select|wait|poll|get|take|read\\w*)\\b")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
