; These formats hold functions as well as data: who writes the data decides what runs.
;
; Bad:
; > const cart = serialize.unserialize(body);
;
; Good:
;   const cart = JSON.parse(body);
;
; Also: typescript, tsx

(call_expression function: (_) @f arguments: (arguments . (_) @value)
  (#match? @f "(^|\\.)(unserialize|v8\\.deserialize|deserialize)$")
  (#match? @f "^(serialize\\.|v8\\.|nodeSerialize\\.|unserialize)")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
