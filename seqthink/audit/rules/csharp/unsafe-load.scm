; Unpacking creates the objects that the data names: who writes the data decides what runs.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         var formatter = new BinaryFormatter();
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           var cart = JsonSerializer.Deserialize<Cart>(body);
;       }
;   }

(object_creation_expression type: (identifier) @type
  (#any-of? @type "BinaryFormatter" "NetDataContractSerializer" "SoapFormatter" "LosFormatter")
  (#set! comment "Unpacking these objects can run code; read untrusted data in a plain format such as JSON.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
