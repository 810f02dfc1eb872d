; With this option, the arguments go through a shell, too.
;
; Bad:
; > spawn("npm", ["run", script], { shell: true });
;
; Good:
;   spawn("npm", ["run", script]);
;
; Also: typescript, tsx

(pair key: (_) @key value: (true)
  (#match? @key "^[\"']?shell[\"']?$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "minor")) @here
