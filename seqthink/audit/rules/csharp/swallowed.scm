; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block that says why is enough; `TODO` does not say why.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
;           try
;           {
;               Ship();
;           }
; >         catch (Exception error)
;           {
;           }
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           try
;           {
;               Ship();
;           }
;           catch (Exception error)
;           {
;               log.Error(error);
;               throw;
;           }
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           try
;           {
;               Close();
;           }
;           catch (IOException)
;           {
;               // already closed
;           }
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
;           try
;           {
;               Close();
;           }
; >         catch (IOException)
;           {
;               // TODO
;           }
;       }
;   }

(catch_clause body: (block) @body
  (#not-holds? @body "^(?!(continue|empty)_statement|{TODO_COMMENT})")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
