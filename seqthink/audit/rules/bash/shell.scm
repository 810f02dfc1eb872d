; An argument within a command's text is read as shell again: a name with `;` in it becomes a command.
;
; Bad:
; > bash -c "ls $1"
;
; Good:
;   bash -c 'ls -- "$1"' _ "$1"
;
; Bad:
; > bash -c "
;       ls ${1}
;     "
;
; Good:
;   bash -c "ls -- \"\$1\"" _ "$1"

(command name: (command_name) @f argument: (word) @flag . argument: (string [(simple_expansion (_) @value)
    (expansion . (_) @value)])
  (#any-of? @f "bash" "sh")
  (#match? @flag "^-[a-z]*c$")
  (#match? @value "^[1-9@*]$")
  (#set! comment "A shell runs what the text says; pass the program and its arguments as a list.")
  (#set! dimension "security")
  (#set! cost "minor")) @here

(command name: (command_name) @f argument: (string [(simple_expansion (_) @value) (expansion . (_) @value)])
  (#eq? @f "ssh")
  (#match? @value "^[1-9@*]$")) @here
