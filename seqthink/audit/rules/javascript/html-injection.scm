; A name with `<script>` or `onerror=` in it becomes part of the page, and runs for everybody who sees it.
; Nothing is said of fixed text, nor of text that something sanitizes, escapes or purifies.
;
; Bad:
; > box.innerHTML = comment;
;
; Bad:
; > box.innerHTML += comment;
;
; Bad:
; > document.write(comment);
;
; Bad:
; > box.insertAdjacentHTML("beforeend", comment);
;
; Good:
;   box.textContent = comment;
;   box.innerHTML = "<b>fixed</b>";
;   box.innerHTML = DOMPurify.sanitize(comment);
;
; Also: typescript, tsx

(assignment_expression left: (member_expression property: (property_identifier) @f) right: (_) @value
  (#match? @f "^(inner|outer)HTML$")
  (#not-match? @value "^([\"'`][^$]*[\"'`]|null)$|(?i:sanitiz|escape|purify)")
  (#set! comment "Text becomes markup here; assign it as text or sanitize it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(augmented_assignment_expression left: (member_expression property: (property_identifier) @f) right: (_) @value
  (#match? @f "^(inner|outer)HTML$")
  (#not-match? @value "^[\"'`][^$]*[\"'`]$|(?i:sanitiz|escape|purify)")) @here

(call_expression function: (member_expression object: (identifier) @o property: (property_identifier) @f)
    arguments: (arguments . (_) @value)
  (#eq? @o "document")
  (#match? @f "^write(ln)?$")
  (#not-match? @value "^[\"'`][^$]*[\"'`]$")) @here

(call_expression function: (member_expression property: (property_identifier) @f) arguments: (arguments . (_) .
    (_) @value)
  (#eq? @f "insertAdjacentHTML")
  (#not-match? @value "^[\"'`][^$]*[\"'`]$|(?i:sanitiz|escape|purify)")) @here
