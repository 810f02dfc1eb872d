"""The ruff rules that are used, what each costs, and what to do about it. Pure."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from seqthink.audit.review import GRAVE, MINOR, SERIOUS, Dimension


class RuffRule(NamedTuple):
    """Dimension, cost and advice of one ruff rule."""

    dimension: Dimension
    cost: int
    """Points that a finding costs."""
    comment: str = ""
    """Advice; "": ruff's own message."""


MAX_COMPLEXITY: Final = 15

_CORRECT, _SECURE, _CLEAR = "correctness", "security", "clarity"

RULES: Final[Mapping[str, RuffRule]] = {
    "F401": RuffRule(_CLEAR, MINOR, "Unused import; remove it."),
    "F402": RuffRule(_CORRECT, SERIOUS, "The loop variable hides an import; rename it."),
    "F403": RuffRule(_CLEAR, MINOR, "A star import hides where names come from; import the names."),
    "F541": RuffRule(_CLEAR, MINOR, "An f-string without a placeholder; drop the f or fill it in."),
    "F601": RuffRule(_CORRECT, SERIOUS, "The same key twice in a dictionary; the first value is lost."),
    "F632": RuffRule(_CORRECT, SERIOUS, 'Compare values with "==", not with "is".'),
    "F811": RuffRule(_CORRECT, MINOR, "Defined twice without a use between; remove or rename one."),
    "F821": RuffRule(_CORRECT, SERIOUS, "Undefined name; define or import it."),
    "F823": RuffRule(_CORRECT, SERIOUS, "The local variable is used before it is assigned."),
    "F841": RuffRule(_CLEAR, MINOR, "Assigned and never used; use or remove it."),
    "E711": RuffRule(_CORRECT, SERIOUS, 'Compare with None by "is" or "is not".'),
    "E722": RuffRule(_CORRECT, MINOR, "A bare except takes KeyboardInterrupt, too; name the exception."),
    "BLE001": RuffRule(_CORRECT, MINOR, "Catches every exception; name those that are expected."),
    "S110": RuffRule(_CORRECT, SERIOUS, "The exception is swallowed; handle it, log it or re-raise it."),
    "S112": RuffRule(_CORRECT, SERIOUS, "The exception is swallowed; handle it, log it or re-raise it."),
    "B006": RuffRule(
        _CORRECT, SERIOUS, "A mutable default is shared by all calls; default to None and create it inside."
    ),
    "RUF008": RuffRule(
        _CORRECT, SERIOUS, "A mutable default is shared by all objects; use field(default_factory=...)."
    ),
    "B012": RuffRule(_CORRECT, SERIOUS, "Leaving a finally block swallows the exception; move it out."),
    "B015": RuffRule(_CORRECT, SERIOUS, "The comparison has no effect; assert it or remove it."),
    "B018": RuffRule(_CORRECT, MINOR, "The expression has no effect; use or remove it."),
    "B019": RuffRule(_CORRECT, MINOR, "A cache on a method keeps its objects alive; cache a function or the value."),
    "B023": RuffRule(_CORRECT, SERIOUS, "The function sees the loop variable's last value; bind it as a default."),
    "RUF006": RuffRule(
        _CORRECT, MINOR, "The task may be collected while it runs; keep a reference or use a task group."
    ),
    "ASYNC251": RuffRule(_CORRECT, SERIOUS, "time.sleep stops the whole event loop; await an asynchronous sleep."),
    "ASYNC210": RuffRule(
        _CORRECT, SERIOUS, "A blocking request stops the whole event loop; use an asynchronous client."
    ),
    "T100": RuffRule(_CORRECT, GRAVE, "Debugger call left in; remove it."),
    "C901": RuffRule(_CLEAR, MINOR, f"Too complex (over {MAX_COMPLEXITY} paths); split it."),
    "S102": RuffRule(_SECURE, SERIOUS, "exec runs whatever the text says; call the code directly."),
    "S307": RuffRule(_SECURE, SERIOUS, "eval runs whatever the text says; parse it, e.g. with ast.literal_eval."),
    "S104": RuffRule(_SECURE, MINOR, "Listens on every interface; bind the one you need."),
    "S113": RuffRule(_CORRECT, MINOR, "A request without a time limit may hang forever; pass timeout."),
    "S201": RuffRule(_SECURE, GRAVE, "Flask's debugger lets anybody run code; turn debug off."),
    "S202": RuffRule(_SECURE, SERIOUS, 'Unpacking may write anywhere; pass filter="data".'),
    "S301": RuffRule(_SECURE, SERIOUS, "pickle runs code from its data; use JSON for untrusted data."),
    "S302": RuffRule(_SECURE, SERIOUS, "marshal must not read untrusted data; use JSON."),
    "S306": RuffRule(_SECURE, SERIOUS, "mktemp can be raced; use NamedTemporaryFile or mkstemp."),
    "S323": RuffRule(_SECURE, GRAVE, "Certificates are not verified; use ssl.create_default_context()."),
    "S324": RuffRule(_SECURE, SERIOUS, "MD5 and SHA-1 are broken; use SHA-256, for passwords a slow hash."),
    "S501": RuffRule(_SECURE, GRAVE, "Certificates are not verified; drop verify=False."),
    "S506": RuffRule(_SECURE, GRAVE, "yaml.load can create any object; use yaml.safe_load."),
    "S602": RuffRule(_SECURE, SERIOUS, "A shell runs what the text says; pass a list and no shell=True."),
    "S604": RuffRule(_SECURE, SERIOUS, "A shell runs what the text says; pass a list and no shell=True."),
    "S605": RuffRule(_SECURE, SERIOUS, "A shell runs what the text says; use subprocess.run with a list."),
    "S608": RuffRule(_SECURE, SERIOUS, "SQL put together from text can be injected; pass the values as parameters."),
    "S701": RuffRule(_SECURE, SERIOUS, "Templates without autoescape let markup in; turn it on."),
    "PLW0133": RuffRule(_CORRECT, SERIOUS, "The exception is made and never raised; raise it."),
    "PLE0704": RuffRule(_CORRECT, SERIOUS, "A bare raise outside of an except block; name the exception."),
}
"""The most common rules, with our own advice."""

SELECT: Final = (
    "E9", "E711", "E722", "F", "B002", "B003", "B004", "B005", "B006", "B012", "B013", "B014", "B015", "B016", "B018",
    "B019", "B020", "B021", "B022", "B023", "B025", "B026", "B029", "B030", "B031", "B032", "B033", "B035", "BLE",
    "C901", "PLE", "PLW0127", "PLW0128", "PLW0129", "PLW0131", "PLW0133", "PLR0124", "PLW0177", "PLW0211", "PLW0245",
    "PLW0711", "PLW1507", "PLW1509", "RUF006", "RUF008", "RUF016", "T100", "ASYNC210", "ASYNC251", "S102",
    "S103", "S104", "S110", "S112", "S113", "S2", "S301", "S302", "S306", "S307", "S308", "S323", "S324", "S5", "S602",
    "S604", "S605", "S608", "S609", "S610", "S611", "S612", "S7",
)  # fmt: skip
IGNORE: Final = ("F405", "F722")
FRAGMENT_IGNORE: Final = ("F404", "F401", "F821", "F822", "F704", "F706", "F811", "B018", "B015", "PLE1142", "PLE0704")
"""Rules that partial code breaks without fault: its imports, callers and enclosing function are unknown."""


def rule_for(code: str, message: str = "") -> RuffRule:
    """Return the rule for ``code``; it costs little where ruff's message says "seems safe"."""
    rule = RULES.get(code)
    if rule is not None:
        return rule._replace(cost=MINOR) if "seems safe" in message else rule
    if code.startswith("S"):
        return RuffRule(_SECURE, SERIOUS)
    return RuffRule(_CORRECT, SERIOUS)
