; What the network sends runs at once: a changed page or a broken download is a changed or broken program.
;
; Bad:
; > curl -fsSL https://example.com/install | sh
;
; Good:
;   curl -fsSLo install https://example.com/install
;   sha256sum -c install.sum

(pipeline (command name: (command_name) @a) . (command name: (command_name) @b)
  (#any-of? @a "curl" "wget")
  (#match? @b "^(sudo|ba|z|da)?sh$|^sudo$|^python3?$")
  (#set! comment "Runs what the network sends; download it, check it, then run it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
