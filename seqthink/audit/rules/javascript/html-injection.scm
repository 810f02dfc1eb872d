; A name with `<script>` or `onerror=` in it becomes part of the page, and runs for everybody who sees it.
; Nothing is said where every part is fixed text, a constant, a number, or text that a call sanitizes, escapes, encodes
; or purifies.
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
; Bad:
; > box.innerHTML = "<b>" + name + "</b>";
; > box.innerHTML += `<i>${name}</i>`;
; > document.write("<b>" + name + "</b>");
; > box.insertAdjacentHTML("beforeend", "<b>" + name + "</b>");
;
; Bad:
; > box.innerHTML = "<b>" + escapeHtml(title) + "</b>" + name;
; > box.innerHTML = unescape(name);
; > box.innerHTML = sanitizedBefore;
; > box.innerHTML = name; // escaped on the server
; > box.innerHTML = isShort ? "" : name;
; > box.innerHTML = items.map((item) => `<li>${item.name}</li>`).join("");
; > box.innerHTML = '"' + name + '"';
;
; Good:
;   box.innerHTML = "<b>" + "fixed" + "</b>" + `<i>too</i>`;
;   box.innerHTML += "<b>" + escapeHtml(name) + "</b>";
;   box.innerHTML = `<b>${escapeHtml(title)}</b>${items.length}`;
;   box.innerHTML = isOpen ? "<b>open</b>" : OPEN_MARKUP;
;   box.innerHTML = items.map((item) => `<li>${escapeHtml(item.name)}</li>`).join("");
;   box.innerHTML = names.map(escapeHtml).join("<br>");
;   box.innerHTML = null;
;   document.write("<b>" + encodeURIComponent(name) + "</b>");
;   box.insertAdjacentHTML("beforeend", "<b>" + purify(name) + "</b>");
;
; Bad:
; > document.writeln("<b>", name, "</b>");
; > frame.contentDocument.write("<b>".concat(name));
;
; Bad:
; > box["innerHTML"] = "<b>" + name + "</b>";
; > box['innerHTML'] += name;
; > frame.srcdoc = "<b>" + name + "</b>";
; > $("#box").html("<b>" + name + "</b>");
; > jQuery(box).html(name);
;
; Good:
;   box["innerHTML"] = escapeHtml(name);
;   box["title"] = "<b>" + name;
;   box[innerHTML] = name;
;   frame.srcdoc = "<b>fixed</b>";
;   $("#box").html("<b>fixed</b>");
;   $("#box").html(escapeHtml(name));
;   $("#box").text(name);
;   page.html(name);
;
; Also: typescript, tsx

(assignment_expression left: (member_expression property: (property_identifier) @f) right: (_) @value
  (#match? @f "^((inner|outer)HTML|srcdoc)$")
  (#not-every-part? @value "{MARKUP_SAFE}")
  (#set! comment "Text becomes markup here; assign it as text or sanitize it.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(augmented_assignment_expression left: (member_expression property: (property_identifier) @f) right: (_) @value
  (#match? @f "^((inner|outer)HTML|srcdoc)$")
  (#not-every-part? @value "{MARKUP_SAFE}")) @here

(call_expression function: (member_expression object: (_) @o property: (property_identifier) @f)
    arguments: (arguments (_) @value)
  (#match? @o "(^|[.])(document|contentDocument)$")
  (#match? @f "^write(ln)?$")
  (#not-every-part? @value "{MARKUP_SAFE}")) @here

(call_expression function: (member_expression property: (property_identifier) @f) arguments: (arguments . (_) .
    (_) @value)
  (#eq? @f "insertAdjacentHTML")
  (#not-every-part? @value "{MARKUP_SAFE}")) @here

(assignment_expression left: (subscript_expression index: (string (string_fragment) @f)) right: (_) @value
  (#match? @f "^((inner|outer)HTML|srcdoc)$")
  (#not-every-part? @value "{MARKUP_SAFE}")) @here

(augmented_assignment_expression left: (subscript_expression index: (string (string_fragment) @f)) right: (_) @value
  (#match? @f "^((inner|outer)HTML|srcdoc)$")
  (#not-every-part? @value "{MARKUP_SAFE}")) @here

(call_expression function: (member_expression object: (call_expression function: (identifier) @o)
    property: (property_identifier) @f) arguments: (arguments . (_) @value .)
  (#match? @o "^([$]|jQuery)$")
  (#eq? @f "html")
  (#not-every-part? @value "{MARKUP_SAFE}")) @here
