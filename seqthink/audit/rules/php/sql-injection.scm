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
;
; Bad:
;   <?php
; > $sql = "SELECT id FROM users" . " WHERE name = '$name'";
; > $rows = $db->query("SELECT id FROM users WHERE place = '$stable'");
; > $sql = "SELECT id FROM $table WHERE name = " . $db->quote($name) . " OR id = " . $id;
;
; Good:
;   <?php
;   $sql = "SELECT id FROM " . $wpdb->posts . " WHERE id = " . (int) $id;
;   $sql = "SELECT id FROM {$this->table} WHERE name = " . $db->quote($name);
;   $sql = "DELETE FROM {$table_prefix}carts WHERE id = " . intval($id);
;   $sql = "DELETE FROM " . self::TABLE . " WHERE id = ?";

((encapsed_string) @here
  (#match? @here "(?s)^\\W*{SQL}")
  (#not-every-part? @here "^\\$wpdb->\\w+$|^\\$(\\w+(->|::\\$))*(\\w*_)?(table|prefix)(_?[nN]ames?|s)?$|^\\$(\\w+(->|::\\$))*\\w*[a-z](Table|Prefix)(Names?|s)?$|^(\\w+::)?[A-Z][A-Z0-9_]+$|^(?i:intval|absint|floatval|count|time|esc_sql|\\S*(quote|escape)\\w*)\\($|^\\(\\s*(int|float|bool)")
  (#set! comment "SQL put together from text can be injected; pass the values as parameters.")
  (#set! dimension "security")
  (#set! cost "serious"))

((binary_expression left: (_) @sql operator: ".") @here
  (#match? @sql "^[\"']")
  (#match? @sql "(?s)^\\W*{SQL}")
  (#not-every-part? @here "^\\$wpdb->\\w+$|^\\$(\\w+(->|::\\$))*(\\w*_)?(table|prefix)(_?[nN]ames?|s)?$|^\\$(\\w+(->|::\\$))*\\w*[a-z](Table|Prefix)(Names?|s)?$|^(\\w+::)?[A-Z][A-Z0-9_]+$|^(?i:intval|absint|floatval|count|time|esc_sql|\\S*(quote|escape)\\w*)\\($|^\\(\\s*(int|float|bool)"))
