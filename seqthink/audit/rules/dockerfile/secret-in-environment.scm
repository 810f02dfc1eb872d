; Everybody who has the image can read its environment, also after a later line has changed it. What a build argument
; or another variable puts there is in the image, too.
;
; Bad:
;   FROM debian:12
; > ENV API_TOKEN=ck41zq
;
; Good:
;   FROM debian:12
;   ENV LANG=C.UTF-8
;   RUN --mount=type=secret,id=token ./install
;
; Bad:
;     FROM debian:12
;     ARG API_TOKEN
; > ENV API_TOKEN=$API_TOKEN
; > ENV DB_PASSWORD="${DB_PASSWORD}"
;
; Good:
;   FROM debian:12
;   ENV API_TOKEN=""
;   ENV API_TOKEN_FILE=/run/secrets/token

((env_pair name: (_) @name value: (_) @value) @here
  (#match? @name "(?i)(token|secret|passw(or)?d|api_?key|private_?key)$")
  (#not-match? @value "^[\"']{0,2}$")
  (#set! comment "The secret stays in the image; pass it with --mount=type=secret, or when it runs.")
  (#set! dimension "security")
  (#set! cost "serious"))
