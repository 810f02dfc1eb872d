"""The tools with which clients change files and run commands."""

from typing import Final

PATCH_TOOLS: Final = frozenset({"apply_patch", "patch"})
"""Tools that take a patch in Codex's format."""
EDIT_TOOLS: Final = PATCH_TOOLS | {
    *("Write", "Edit", "MultiEdit", "NotebookEdit"),
    *("write", "edit", "multiedit", "create", "str_replace_editor"),
    *("write_file", "replace", "notebook_edit", "editor"),
}
"""The tools with which clients change files."""
SHELL_TOOLS: Final = frozenset(
    {
        *("Bash", "bash", "PowerShell", "powershell", "shell", "shell_command", "local_shell"),
        *("exec_command", "run_shell_command", "run_commands"),
    }
)
"""The tools with which clients run commands."""
