; Who writes the text decides what runs. The set-up lines that tools such as ssh-agent print are not meant.
;
; Bad:
; > eval "$command"
;
; Good:
;   eval "$(ssh-agent -s)"
;
; Bad:
; > eval "$(ssh-agent -s; $command)"
; > eval "$(brew shellenv)$command"
; > eval "$(register "$name")"
; > eval "$(brewery)"
;
; Good:
;   eval "$(/opt/homebrew/bin/brew shellenv)"
;   eval $(dircolors -b "$HOME/.dircolors")
;   eval "$(pyenv init -)"

(command name: (command_name) @f argument: (_) @value
  (#eq? @f "eval")
  (#match? @value "\\$|`")
  (#not-match? @value "^\"?\\$\\(([\\w./~-]*/)?(ssh-agent|dircolors|brew|direnv|pyenv|rbenv|opam|starship|zoxide|fnm|nodenv|register-python-argcomplete|mise)( [^;&|`()]*)?\\)\"?$")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
