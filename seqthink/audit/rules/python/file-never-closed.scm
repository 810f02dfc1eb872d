; The file is opened within an expression, so that nothing can close it.
;
; Bad:
; > text = open(path).read()
;
; Bad:
; > data = json.load(open(path))
;
; Good:
;   with open(path) as file:
;       data = json.load(file)

(attribute object: (call function: (identifier) @f) attribute: (identifier) @use
  (#eq? @f "open")
  (#any-of? @use "read" "write" "readlines" "writelines" "readline")
  (#set! comment "Nothing closes the file; open it in a \"with\".")
  (#set! dimension "correctness")
  (#set! cost "minor")) @here

(call function: (attribute) @g arguments: (argument_list . [(call function: (identifier) @f) ((_) . (call
    function: (identifier) @f))])
  (#eq? @f "open")
  (#match? @g "[.](loads?|dump|reader|writer)$")) @here
