; The arguments are one text that is taken apart at its blanks: a name in it can become another argument or command.
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         Process.Start("cmd.exe", "/c del " + name);
;       }
;   }
;
; Bad:
;   class A
;   {
;       void F(string name)
;       {
; >         info.Arguments = $"-c {name}";
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           var info = new ProcessStartInfo("git");
;           info.ArgumentList.Add(name);
;       }
;   }
;
; Good:
;   class A
;   {
;       void F(string name)
;       {
;           Process.Start("cmd.exe", "/c " + "dir " + FOLDER);
;           info.Arguments = "-l " + "-a";
;       }
;   }

(invocation_expression function: (_) @f
    arguments: (argument_list . (argument) . (argument [(binary_expression
    operator: "+") (interpolated_string_expression (interpolation))] @value))
  (#match? @f "(^|[.])Process[.]Start$")
  (#not-every-part? @value "{CONSTANT}")
  (#set! comment "A name in this text can become another argument; add each to ArgumentList.")
  (#set! dimension "security")
  (#set! cost "serious")) @here

(assignment_expression left: (member_access_expression name: (identifier) @name)
    right: [(binary_expression operator: "+") (interpolated_string_expression (interpolation))] @value
  (#eq? @name "Arguments")
  (#not-every-part? @value "{CONSTANT}")) @here
