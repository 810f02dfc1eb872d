; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block that says why is enough; `TODO` does not say why.
;
; Bad:
;   fun f(name: String) {
;       try {
;           ship()
; >     } catch (error: IOException) {
;       }
;   }
;
; Good:
;   fun f(name: String) {
;       try {
;           ship()
;       } catch (error: IOException) {
;           log.error(error)
;           throw error
;       }
;   }
;
; Good:
;   fun f(name: String) {
;       try {
;           close()
;       } catch (error: IOException) {
;           // already closed
;       }
;   }
;
; Bad:
;   fun f(name: String) {
;       try {
;           close()
; >     } catch (error: IOException) {
;           // TODO
;       }
;   }

(catch_block (block) @body
  (#not-holds? @body "^(?!block |compound_statement |empty_statement|{TODO_COMMENT})")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
