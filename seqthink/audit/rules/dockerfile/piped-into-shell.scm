; What the network sends runs at once: a changed page or a broken download is a changed or broken image.
;
; Bad:
;   FROM debian:12
; > RUN curl -fsSL https://example.com/install | sh
;
; Good:
;   FROM debian:12
;   RUN curl -fsSLo install https://example.com/install && sha256sum -c install.sum
;
; Bad:
;     FROM debian:12
; > RUN curl -fsSL "https://example.com/install?a=1&b=2" | sh
; > RUN curl -fsSL https://example.com/install | sudo -E /bin/bash
;
; Good:
;   FROM debian:12
;   RUN curl -fsSLo key https://example.com/key && cat key | sh-keys

((run_instruction) @here
  (#match? @here "\\b(curl|wget)\\s(?:[^|;&\"']|\"[^\"]*\"|'[^']*'){0,500}([|]\\s*tee\\s[^|;&]*)?[|]\\s*(sudo\\s+(-\\w+\\s+)*|env\\s+)?(/\\w+)*/?(ba|z|da)?sh(?![\\w-])")
  (#set! comment "Runs what the network sends; download it, check it, then run it.")
  (#set! dimension "security")
  (#set! cost "serious"))
