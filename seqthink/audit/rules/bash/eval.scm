; Who writes the text decides what runs. The set-up lines that tools such as ssh-agent print are not meant.
;
; Bad:
; > eval "$command"
;
; Good:
;   eval "$(ssh-agent -s)"

(command name: (command_name) @f argument: (_) @value
  (#eq? @f "eval")
  (#match? @value "\\$|`")
  (#not-match? @value "^\"?\\$\\((ssh-agent|dircolors|brew|direnv|pyenv|rbenv|opam|starship|zoxide|fnm|nodenv|register|mise)")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
