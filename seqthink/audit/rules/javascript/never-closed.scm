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
; Bad:
;   async function load() {
; >   const client = await pool.connect();
;     // client.release();
;     console.log("client.release()", names.join(client.name), `${client.name}`);
;     if (client.isClosed()) { return; }
;     other.release();
;   }
;
; Bad:
;   async function load() {
; >   const client = await pool.connect();
;     others.forEach((client) => client.release());
;     throw new Error(client);
;   }
;
; Good:
;   async function load() {
;     const client = await pool.connect();
;     return { rows: await client.query("SELECT 1"), client };
;   }
;
; Good:
;   async function load() {
;     const client = await pool.connect();
;     signal.addEventListener("abort", () => client.release());
;   }
;
; Also: typescript, tsx

(variable_declarator name: (identifier) @name value: [(await_expression (call_expression function: (_) @f))
    (call_expression function: (_) @f)] @here
  (#match? @f "((?i:pool)\\w*\\.(connect|getConnection|acquire)|^fs\\.(promises\\.)?openSync|fsp?\\.open|fsPromises\\.open|puppeteer\\.launch|chromium\\.launch|fs\\.promises\\.open)$")
  ; closed
  (#never-used-after? @name "(^|clause )[.]{CLOSING}(\\w*\\(| )")
  ; passed on
  (#never-used-after? @name "(^|clause )(?![.])(.*\\W)?({CLOSER}|put(?!s\\()|{REGISTERING}|(?!String\\b|Number\\b|Boolean\\b){CONSTRUCTOR})\\w*\\($")
  ; returned or stored
  (#never-used-after? @name "(^|clause )(return|yield|send|(augmented_)?assignment_expression right|variable_declarator value|pair|array|object|shorthand|using|arrow_function)")
  (#set! comment "Opened and never closed; close it on every path.")
  (#set! dimension "correctness")
  (#set! cost "serious"))
