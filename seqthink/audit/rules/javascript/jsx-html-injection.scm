; The text becomes markup as it is; a script in it runs for everybody who sees the page.
;
; Bad:
; > const box = <div dangerouslySetInnerHTML={{ __html: comment }} />;
;
; Good:
;   const box = <div>{comment}</div>;
;   const safe = <div dangerouslySetInnerHTML={{ __html: sanitize(comment) }} />;
;
; Also: tsx

(jsx_attribute (property_identifier) @f (_) @value
  (#eq? @f "dangerouslySetInnerHTML")
  (#not-match? @value "(?i:sanitiz|escape|purify)")
  (#set! comment "Text becomes markup here; assign it as text or sanitize it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here
