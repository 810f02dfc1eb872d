; Nobody learns that something went wrong, and the program goes on with what it has not.
; A comment that says why is enough; `TODO` does not say why.
;
; Bad:
;   begin
;     ship(order)
; > rescue StandardError
;   end
;
; Bad:
; > ship(order) rescue nil
;
; Good:
;   begin
;     ship(order)
;   rescue StandardError => error
;     logger.error(error)
;     raise
;   end
;
; Good:
;   begin
;     File.delete(path)
;   rescue Errno::ENOENT
;     # already gone
;   end
;
; Bad:
;     begin
;       File.delete(path)
; > rescue Errno::ENOENT
;       # TODO
;     end
;
; Bad:
;     begin
;       File.delete(path)
; > rescue *errors("#{path}")
;     end

((rescue !body) @here
  (#not-holds? @here "^comment \\W*(?!(?i:todo|fixme|xxx|hack)\\b)\\w")
  (#set! comment "The error is swallowed; handle it, log it or re-raise it.")
  (#set! dimension "correctness")
  (#set! cost "serious"))

(rescue_modifier handler: (nil)) @here
