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
;
; Bad:
;   func load(path string) error {
; > 	file, err := os.Open(path)
;   	if err != nil {
;   		return err
;   	}
;   	// defer file.Close()
;   	fmt.Println("file.Close()", strings.Join(names, file.Name()))
;   	if file.IsClosed() {
;   		return nil
;   	}
;   	return nil
;   }
;
; Bad:
;   func load(path string) error {
; > 	file, err := os.Open(path)
;   	other.Close()
;   	go func(file *os.File) { file.Close() }(other)
;   	return err
;   }
;
; Good:
;   func load(path string) ([]byte, error) {
;   	answer, err := http.Get(path)
;   	if err != nil {
;   		return nil, err
;   	}
;   	defer answer.Body.Close()
;   	return io.ReadAll(answer.Body)
;   }
;
; Good:
;   func load(path string) (*Store, error) {
;   	file, err := os.Open(path)
;   	if err != nil {
;   		return nil, err
;   	}
;   	return &Store{file: file}, nil
;   }

((short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list (call_expression
    function: (_) @f))) @here
  (#match? @f "^os[.](Open|Create|OpenFile)$|^net[.]Dial|^http[.](Get|Post|Head|PostForm)$|(?i:client)[.]Do$|(?i:(db|tx|pool))[.](Query|QueryContext|Acquire)$|^sql[.]Open$|^gzip[.]NewReader$")
  ; closed
  (#never-used-after? @name "(^|clause )[.](Body[.])?{CLOSING}(\\w*\\(| )")
  ; passed on
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?({CLOSER}|put(?!s\\()|{REGISTERING}|(go|return)? ?([\\w.]*[.])?[nN]ew)\\w*\\($")
  ; returned or stored
  (#never-used-after? @name "(^|clause )(return|yield|send|(assignment_statement|short_var_declaration) right|var_spec value|literal_element|keyed_element|func_literal)")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
