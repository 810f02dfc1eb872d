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
;
; Bad:
; > while :; do
;       # break when the file is there
;       echo "read this next"
;       for name in *; do
;         break
;       done
;     done
;
; Good:
;   while true; do
;     for name in *; do
;       break 2
;     done
;   done
;
; Good:
;   while true; do
;     if read -r line; then
;       echo "$line"
;     fi
;   done

(while_statement condition: (_) @value body: (do_group) @body
  (#match? @value "^(true|:)$")
  (#not-holds? @body "^command (command |builtin |exec )?(break|return|exit|exec|read\\w*|mapfile|sleep|wait|select|inotifywait|flock|nc|tail|\\w*(sleep|wait|poll|recv|accept))\\b")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
