; Every user and every program in the container can change the file.
;
; Bad:
;   FROM debian:12
; > RUN chmod -R 777 /data
;
; Good:
;   FROM debian:12
;   RUN chmod 750 /data
;
; Bad:
;     FROM debian:12
; > RUN chmod -R --silent 777 /data

((run_instruction) @here
  (#match? @here "\\bchmod\\s+(-[\\w-]+\\s+)*(0?777|a[+]rwx)\\b")
  (#set! comment "Anyone can write to this; grant only the rights needed.")
  (#set! dimension "security")
  (#set! cost "serious"))
