; What the network sends runs at once: a changed page or a broken download is a changed or broken program.
;
; Bad:
; > curl -fsSL https://example.com/install | sh
;
; Good:
;   curl -fsSLo install https://example.com/install
;   sha256sum -c install.sum
;
; Bad:
; > curl -fsSL https://example.com/install | sudo -E bash
; > curl -fsSL https://example.com/install | tee install | /bin/sh
;
; Good:
;   curl -fsSL https://example.com/key | sudo tee /etc/apt/keyrings/shop.asc

(pipeline (command name: (command_name) @a) (command name: (command_name) @b)
  (#any-of? @a "curl" "wget")
  (#match? @b "^(/\\w+)*/?((ba|z|da)?sh|python3?)$")
  (#set! comment "Runs what the network sends; download it, check it, then run it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(pipeline (command name: (command_name) @a) (command name: (command_name) @b argument: (word) @shell)
  (#any-of? @a "curl" "wget")
  (#any-of? @b "sudo" "env")
  (#match? @shell "^(/\\w+)*/?((ba|z|da)?sh|python3?)$")) @here
