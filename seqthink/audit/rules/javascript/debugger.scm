; It stops the program where developer tools are open, and has no use elsewhere.
;
; Bad:
; > debugger;
;
; Good:
;   const debug = true;
;
; Also: typescript, tsx

(debugger_statement
  (#set! comment "Debugger call left in; remove it.")
  (#set! dimension "correctness")
  (#set! cost "grave")) @here
