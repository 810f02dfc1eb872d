; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment in the empty block says why and is enough.
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

(catch_block (block) @body
  (#match? @body "^[\\s{};]*$")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
