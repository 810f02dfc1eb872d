; A name with `<script>` in it becomes part of the page, and runs for everybody who sees it.
;
; Bad:
;   <?php
; > echo $_GET['name'];
;
; Good:
;   <?php
;   echo htmlspecialchars($_GET['name']);
;
; Bad:
;   <?php
; > echo "<b>" . htmlspecialchars($title) . $_GET['name'] . "</b>";
; > echo "<b>$_GET[name]</b>";
; > echo $_POST['name'] ?? 'nobody';
; > print $_COOKIE['name'];
; > echo "<b>", $_GET['name'], "</b>";
;
; Good:
;   <?php
;   echo "<b>" . htmlspecialchars($_GET['name']) . "</b>" . intval($_GET['page']);
;   echo isset($_GET['name']) ? "named" : "nobody";

([(echo_statement (_) @value) (print_intrinsic (_) @value)] @here
  (#not-every-part? @value "^(?!\\$_(GET|POST|REQUEST|COOKIE)\\b)")
  (#set! comment "What the user sent becomes markup here; escape it with htmlspecialchars().")
  (#set! dimension "security")
  (#set! cost "serious"))
