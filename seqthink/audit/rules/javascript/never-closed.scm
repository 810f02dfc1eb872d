; Connections, files and browsers are limited; the pool is empty after a few calls.
; Nothing is said where the function closes it, returns it, passes it on or stores it, nor where only a part of the
; function is shown.
;
; Bad:
;   async function load() {
; >   const client = await pool.connect();
;     const rows = await client.query("SELECT 1");
;     console.log(rows);
;   }
;
; Good:
;   async function load() {
;     const client = await pool.connect();
;     try {
;       await client.query("SELECT 1");
;     } finally {
;       client.release();
;     }
;   }
;
; Also: typescript, tsx

(variable_declarator name: (identifier) @name value: [(await_expression (call_expression function: (_) @f))
    (call_expression function: (_) @f)] @here
  (#match? @f "((?i:pool)\\w*\\.(connect|getConnection|acquire)|^fs\\.(promises\\.)?openSync|fsp?\\.open|fsPromises\\.open|puppeteer\\.launch|chromium\\.launch|fs\\.promises\\.open)$")
  ; closed
  (#never-after? @here "\\b\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)\\w*\\s*\\([^)]*\\b{name}\\b")
  (#never-after? @here "\\b{name}\\s*\\??\\.\\s*(\\w+\\.)*(\\w*(?i:f?close|free|release|dispose|unlock|rollback|stop|terminate|destroy|shutdown|join)|end)\\w*\\s*\\(")
  ; passed on
  (#never-after? @here "\\b(put(?!s\\b)|end|delete|append|push|add|register|enter_context|callback|defer|insert|store)\\w*\\s*\\([^)\\n]*\\b{name}\\b")
  (#never-after? @here "(?:=|\\breturn)\\s*(?:await\\s+)?(?:new\\s+)?(?:\\w+\\.)*_?[A-Z]\\w*\\([^)\\n]*\\b{name}\\b")
  ; returned or stored
  (#never-after? @here "\\b(return|yield)\\s+[\\w&{*:,\\s]*\\b{name}\\b(?!\\s*[.(\\[])")
  (#never-after? @here "[=:]\\s*[&*]?{name}\\s*([,;)}\\n]|$)")
  (#never-after? @here "[{\\[][^}\\]\\n]*\\b{name}\\b[^}\\]\\n(]*[}\\]]")
  ; taken over by a statement
  (#never-after? @here "\\b(using|try)\\b\\s*\\(?[^\\n]*\\b{name}\\b")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
