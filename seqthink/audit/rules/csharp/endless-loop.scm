; A loop without an exit never gives control back: the program hangs and its processor is busy.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         while (true)
;           {
;               total += 1;
;           }
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           while (true)
;           {
;               if (Done())
;               {
;                   break;
;               }
;           }
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         while (true)
;           {
;               // break
;               total += GetTotal(target) + Forget("read(");
;               foreach (var item in cart)
;               {
;                   if (item.Price > 10) break;
;               }
;               items.ForEach(item => { return; });
;           }
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           while (true)
;           {
;               Run(queue.Take());
;           }
;       }
;   }

(while_statement condition: (boolean_literal) @value body: (_) @body
  (#eq? @value "true")
  (#not-holds? @body "^(break_statement|return_statement|throw_statement|goto_statement|yield_statement|await_expression)\\b|^{CALL}({WAITING})\\(|{QUEUE_GET}")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
