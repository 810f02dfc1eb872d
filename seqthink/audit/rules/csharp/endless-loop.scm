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

(while_statement condition: (boolean_literal) @value body: (_) @body
  (#eq? @value "true")
  (#not-match? @body "\\b(break|return|throw|yield|await|goto|Exit)\\b|(?i:recv|accept|receive|sleep|wait|poll|take|read|get|next|select)\\w*\\(")
  (#set! comment "The loop has no way out; add an exit, or wait for something in it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
