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

(let_declaration pattern: "_" value: (_) @f
  (#match? @f "(fs::(write|remove_file|rename|create_dir_all)|\\.(commit|execute|flush|sync_all|write_all)|serde_json::\\w+)\\(.*\\)(\\.await)?$")
  (#set! comment "The error is ignored; check it.")
  (#set! dimension "correctness")
  (#set! cost "serious")) @here
