; A name with `<script>` in it becomes part of the page, and runs for everybody who sees it.
;
; Bad:
;   <?php
; > echo $_GET['name'];
;
; Good:
;   <?php
;   echo htmlspecialchars($_GET['name']);

(echo_statement [(subscript_expression . (variable_name) @source)
    (binary_expression (subscript_expression . (variable_name) @source))]
  (#match? @source "^\\$_(GET|POST|REQUEST|COOKIE)$")
  (#set! comment "What the user sent becomes markup here; escape it with htmlspecialchars().")
  (#set! dimension "security")
  (#set! cost "serious")) @here
