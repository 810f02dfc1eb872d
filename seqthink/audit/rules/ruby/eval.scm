; Who writes the text decides what runs, with all rights of the program.
;
; Bad:
; > eval(params[:code])
;
; Bad:
; > order.instance_eval(text)
;
; Good:
;   total = Integer(text)
;   order.instance_eval { @total = 1 }
;
; Bad:
; > eval("1 + " + text)
;
; Good:
;   eval("1 + " + "1")

(call method: (identifier) @f
    arguments: (argument_list . [(identifier) (element_reference) (call) (string (interpolation)) (binary operator: "+")] @value)
  (#not-every-part? @value "{CONSTANT}")
  (#any-of? @f "eval" "instance_eval" "class_eval" "module_eval")
  (#set! comment "Runs whatever the text says; parse it instead.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
