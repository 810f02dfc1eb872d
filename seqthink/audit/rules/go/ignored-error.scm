; The result is only good where the error is nil: without looking, the program goes on with a zero value.
; Nothing is said of `_ = os.Remove(...)`, which tidies up, nor of what is read to be thrown away.
;
; Bad:
;   func f() {
; > 	port, _ := strconv.Atoi(text)
;   	use(port)
;   }
;
; Bad:
;   func f() {
; > 	json.Unmarshal(body, &cart)
;   }
;
; Good:
;   func f() error {
;   	port, err := strconv.Atoi(text)
;   	if err != nil {
;   		return err
;   	}
;   	return use(port)
;   }
;
; Bad:
;   func f() {
; > 	_ = os.WriteFile(path, body, 0o600)
; > 	port, _ = strconv.Atoi(text)
; > 	_ = json.Unmarshal(body, &cart)
; > 	_, _ = io.Copy(file, response.Body)
;   }
;
; Good:
;   func f() {
;   	_ = os.Remove(path)
;   	_, _ = io.Copy(io.Discard, response.Body)
;   	io.Copy(io.Discard, response.Body)
;   	cart, _ := carts[name]
;   	use(cart)
;   }

([
    (short_var_declaration left: (expression_list (identifier) @none .) right: (expression_list . (call_expression
      function: (selector_expression) @f arguments: (argument_list . (_)? @first)) .))
    (assignment_statement left: (expression_list (identifier) @none .) right: (expression_list . (call_expression
      function: (selector_expression) @f arguments: (argument_list . (_)? @first)) .))
  ] @here
  (#eq? @none "_")
  (#match? @f "^(os|json|strconv|http|io|ioutil|sql|url|xml|yaml|net|time|db|tx|rows|client)[.](Open|Create|Read|Parse|Marshal|Unmarshal|Atoi|Get|Post|Do|Query|Exec|Dial|New|Begin|Prepare|Load)|^(json|xml|yaml|toml)[.]Unmarshal$|^os[.](Rename|Mkdir|MkdirAll|WriteFile|Chmod)$|^(db|tx)[.](Exec|ExecContext|Commit|Ping)$|^io[.]Copy$")
  (#not-match? @first "^(io|ioutil)[.]Discard$")
  (#set! comment "The error is ignored; check it.")
  (#set! dimension "correctness")
  (#set! cost "serious"))

(expression_statement (call_expression function: (selector_expression) @f arguments: (argument_list . (_)? @first))
  (#match? @f "^(json|xml|yaml|toml)[.]Unmarshal$|^os[.](Rename|Mkdir|MkdirAll|WriteFile|Chmod|Remove)$|^(db|tx)[.](Exec|ExecContext|Commit|Ping)$|^io[.]Copy$")
  (#not-match? @first "^(io|ioutil)[.]Discard$")) @here
