; Everybody who has the image can read its environment, also after a later line has changed it.
;
; Bad:
;   FROM debian:12
; > ENV API_TOKEN=ck41zq
;
; Good:
;   FROM debian:12
;   ENV LANG=C.UTF-8
;   RUN --mount=type=secret,id=token ./install

((env_pair name: (_) @name value: (_) @value) @here
  (#match? @name "(?i)(token|secret|passw(or)?d|api_?key|private_?key)$")
  (#not-match? @value "^.?[$]|^[\"']{0,2}$")
  (#set! comment "The secret stays in the image; pass it with --mount=type=secret, or when it runs.")
  (#set! dimension "security")
  (#set! cost "serious"))
