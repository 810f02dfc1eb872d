; Where the variable is empty or has a blank in it, something else is deleted.
;
; Bad:
; > rm -rf $target/
;
; Good:
;   rm -rf "${target:?}/"
;
; Bad:
; > rm -Rf ${target}/
; > rm --recursive $target

(command name: (command_name) @f argument: (word) @flag argument: [(simple_expansion) (expansion)
    (concatenation . [(simple_expansion) (expansion)])]
  (#eq? @f "rm")
  (#match? @flag "^(-[a-zA-Z]*[rR]|--recursive$)")
  (#set! comment "Unquoted and perhaps empty, this may delete too much; write \"${name:?}\".")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
