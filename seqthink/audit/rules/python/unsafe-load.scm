; These formats hold instructions as well as data: who writes the file decides what runs.
;
; Bad:
; > model = joblib.load(path)
;
; Bad:
; > shelf = shelve.open(path)
;
; Good:
;   settings = json.loads(text)

(call function: (attribute object: (identifier) @module attribute: (identifier) @f)
  (#any-of? @module "dill" "cloudpickle" "jsonpickle" "joblib" "shelve")
  (#match? @f "^(loads?|decode|open)$")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
