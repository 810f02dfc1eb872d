; The text becomes markup as it is; a script in it runs for everybody who sees the page.
;
; Bad:
; > const box = <div dangerouslySetInnerHTML={{ __html: comment }} />;
;
; Good:
;   const box = <div>{comment}</div>;
;   const safe = <div dangerouslySetInnerHTML={{ __html: sanitize(comment) }} />;
;
; Bad:
; > const box = <div dangerouslySetInnerHTML={{ __html: sanitize(title) + comment }} />;
; > const note = <div dangerouslySetInnerHTML={{ __html: /* sanitized */ comment }} />;
; > const mark = <div dangerouslySetInnerHTML={markup} />;
; > const old = <div dangerouslySetInnerHTML={{ __html: unsanitized }} />;
;
; Good:
;   const fixed = <div dangerouslySetInnerHTML={{ __html: "<b>fixed</b>" }} />;
;   const both = <div dangerouslySetInnerHTML={{ __html: `<b>${escapeHtml(title)}</b>` }} />;
;
; Also: tsx

(jsx_attribute (property_identifier) @f (jsx_expression (object (pair value: (_) @value)))
  (#eq? @f "dangerouslySetInnerHTML")
  (#not-every-part? @value "{MARKUP_SAFE}")
  (#set! comment "Text becomes markup here; assign it as text or sanitize it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(jsx_attribute (property_identifier) @f (_) @value
  (#eq? @f "dangerouslySetInnerHTML")
  (#not-match? @value "^\\{\\s*\\{")) @here
