; Every user and every program on the machine can change the file.
;
; Bad:
; > chmod 777 data
;
; Good:
;   chmod 750 data

(command name: (command_name) @f argument: (_) @value
  (#eq? @f "chmod")
  (#match? @value "^(0?777|a\\+rwx)$")
  (#set! comment "Anyone can write to this; grant only the rights needed.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
