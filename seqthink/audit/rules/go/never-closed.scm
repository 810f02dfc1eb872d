; Files, connections and the bodies of answers are limited; what is not closed is lost until the program ends.
; Nothing is said where the function closes it, returns it, passes it on or stores it, nor where only a part of the
; function is shown.
;
; Bad:
;   func load(path string) error {
; > 	file, err := os.Open(path)
;   	if err != nil {
;   		return err
;   	}
;   	fmt.Println(file.Name())
;   	return nil
;   }
;
; Good:
;   func load(path string) error {
;   	file, err := os.Open(path)
;   	if err != nil {
;   		return err
;   	}
;   	defer file.Close()
;   	return nil
;   }

((short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list (call_expression
    function: (_) @f))) @here
  (#match? @f "^os[.](Open|Create|OpenFile)$|^net[.]Dial|^http[.](Get|Post|Head|PostForm)$|(?i:client)[.]Do$|(?i:(db|tx|pool))[.](Query|QueryContext|Acquire)$|^sql[.]Open$|^gzip[.]NewReader$")
  ; closed
  (#never-after? @here "\\b\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)\\w*\\s*\\([^)]*\\b{name}\\b")
  (#never-after? @here "\\b{name}\\s*\\??\\.\\s*(\\w+\\.)*(\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)|end)\\w*\\s*\\(")
  ; passed on
  (#never-after? @here "\\b(put(?!s\\b)|end|delete|append|push|add|register|enter_context|callback|defer|insert|store)\\w*\\s*\\([^)\\n]*\\b{name}\\b")
  (#never-after? @here "\\breturn\\s+(\\w+\\.)?[nN]ew\\w*\\([^\\n]*\\b{name}\\b")
  ; returned or stored
  (#never-after? @here "\\b(return|yield)\\s+[\\w&{*:,\\s]*\\b{name}\\b(?!\\s*[.(\\[])")
  (#never-after? @here "[=:]\\s*[&*]?{name}\\s*([,;)}\\n]|$)")
  (#never-after? @here "[{\\[][^}\\]\\n]*\\b{name}\\b[^}\\]\\n(]*[}\\]]")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
