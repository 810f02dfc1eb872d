; What the network sends runs at once: a changed page or a broken download is a changed or broken image.
;
; Bad:
;   FROM debian:12
; > RUN curl -fsSL https://example.com/install | sh
;
; Good:
;   FROM debian:12
;   RUN curl -fsSLo install https://example.com/install && sha256sum -c install.sum

((run_instruction) @here
  (#match? @here "\\b(curl|wget)\\b[^|;&]{0,500}[|]\\s*(sudo\\s+)?(ba|z|da)?sh\\b")
  (#set! comment "Runs what the network sends; download it, check it, then run it.")
  (#set! dimension "security")
  (#set! cost "serious"))
