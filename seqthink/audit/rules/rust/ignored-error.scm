; `let _ =` drops the error of a call that writes or sends: the loss is seen much later.
;
; Bad:
;   fn f() {
; >     let _ = fs::write(path, text);
;   }
;
; Good:
;   fn f() -> io::Result<()> {
;       fs::write(path, text)?;
;       Ok(())
;   }
;
; Bad:
;   fn f() {
; >     let _ = fs::write(
;           path,
;           text,
;       );
; >     _ = fs::write(path, text);
;   }
;
; Good:
;   fn f() {
;       let _ = names(fs::write);
;       let _ = file.flush().map_err(report);
;   }

(let_declaration pattern: "_" value: [(call_expression function: (_) @f)
    (await_expression (call_expression function: (_) @f))]
  (#match? @f "^(\\w+::)*fs::(write|remove_file|rename|create_dir_all)$|[.](commit|execute|flush|sync_all|write_all)$|^serde_json::\\w+$")
  (#set! comment "The error is ignored; check it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here

(assignment_expression left: (identifier) @none right: [(call_expression function: (_) @f)
    (await_expression (call_expression function: (_) @f))]
  (#eq? @none "_")
  (#match? @f "^(\\w+::)*fs::(write|remove_file|rename|create_dir_all)$|[.](commit|execute|flush|sync_all|write_all)$|^serde_json::\\w+$")) @here
