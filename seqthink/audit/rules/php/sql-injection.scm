; A value with a quote in it ends the text of the query and goes on as SQL.
;
; Bad:
;   <?php
; > $rows = $db->query("SELECT id FROM users WHERE name = '$name'");
;
; Bad:
;   <?php
; > $sql = "DELETE FROM carts WHERE id = " . $id;
;
; Good:
;   <?php
;   $query = $db->prepare("SELECT id FROM users WHERE name = ?");
;   $query->execute([$name]);
;   $sql = "SELECT id FROM users" . " ORDER BY id";
;
; Good:
;   <?php
;   $row = $wpdb->get_row($wpdb->prepare("SELECT id FROM $wpdb->posts WHERE id = %d", $id));
;
; Bad:
;   <?php
; > $row = $wpdb->get_row("SELECT id FROM $wpdb->posts WHERE name = '$name'");

((encapsed_string [(variable_name) (member_access_expression) (subscript_expression)] @value) @here
  (#not-match? @value "(?i)^\\$wpdb->\\w+$|(table|prefix)\\w*$")
  (#match? @here "(?s)^\\W*(SELECT\\b.+\\bFROM|INSERT\\s+INTO|UPDATE\\b.+\\bSET|DELETE\\s+FROM|(DROP|ALTER|CREATE)\\s+(TABLE|USER)|select\\b.+\\bfrom|insert\\s+into|update\\b.+\\bset|delete\\s+from)\\b")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

(binary_expression left: [(string) (encapsed_string)] @sql operator: "." right: (_) @value
  (#match? @sql "(?s)^\\W*(SELECT\\b.+\\bFROM|INSERT\\s+INTO|UPDATE\\b.+\\bSET|DELETE\\s+FROM|(DROP|ALTER|CREATE)\\s+(TABLE|USER)|select\\b.+\\bfrom|insert\\s+into|update\\b.+\\bset|delete\\s+from)\\b")
  (#not-kind-match? @value "string")) @here
