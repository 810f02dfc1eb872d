; The result is only good where the error is nil: without looking, the program goes on with a zero value.
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

(short_var_declaration left: (expression_list (identifier) @none .) right: (expression_list (call_expression
    function: (selector_expression) @f))
  (#eq? @none "_")
  (#match? @f "^(os|json|strconv|http|io|ioutil|sql|url|xml|yaml|net|time|db|tx|rows|client)[.](Open|Create|Read|Parse|Marshal|Unmarshal|Atoi|Get|Post|Do|Query|Exec|Dial|New|Begin|Prepare|Load)")
  (#set! comment "The error is ignored; check it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(expression_statement (call_expression function: (selector_expression) @f)
  (#match? @f "^(json|xml|yaml|toml)[.]Unmarshal$|^os[.](Remove|Rename|Mkdir|MkdirAll|WriteFile|Chmod)$|^(db|tx)[.](Exec|ExecContext|Commit|Ping)$|^io[.]Copy$")) @here
