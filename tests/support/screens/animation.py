"""Combines recorded screens into one animated SVG in which each row changes at its own time.

It needs no script, fetches nothing, and shows its last frame to readers who prefer no motion.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from tests.support.screens.recording import Frame

SPEED = 1.6
REST_SECONDS = 5.0
"""How long the last frame stays before the loop restarts."""
_SVG = "http://www.w3.org/2000/svg"
_ROW_OF_TEXT = re.compile(r"line-(\d+)\)")
_RULE = re.compile(r"\.([\w-]+-r\d+) \{([^}]*)\}")
_ROW_HEIGHT = 24.4

Rows = dict[int, str]
"""Markup of each row's pieces."""


def animate(frames: Sequence[Frame]) -> str:
    """Return the frames as one animated picture, played `SPEED` times as fast as recorded."""
    ET.register_namespace("", _SVG)
    end = frames[-1].at / SPEED + REST_SECONDS
    starts = [frame.at / SPEED / end for frame in frames] + [1.0]
    rows = [_rows(ET.fromstring(frame.svg)) for frame in frames]
    shown: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for first, stop, markup in _spells(rows):
        shown[first, stop].append(markup)
    groups = [
        f'<g class="{_name(first, stop, len(frames))}">{"".join(pieces)}</g>'
        for (first, stop), pieces in sorted(shown.items())
    ]
    rules = [_keyframes(first, stop, starts, end) for first, stop in sorted(shown)]
    return _frame_around(frames[-1].svg, "".join(groups), "\n".join(rules))


def _rows(root: ET.Element) -> Rows:
    """Return the content of each row, with CSS classes replaced by colours."""
    styles = dict(_RULE.findall(root.findtext(f"{{{_SVG}}}style") or ""))
    rows: defaultdict[int, list[str]] = defaultdict(list)
    for piece in root.iter():
        found = _ROW_OF_TEXT.search(piece.get("clip-path", ""))
        if piece.tag == f"{{{_SVG}}}text" and found:
            piece.attrib = {
                **{name: piece.attrib[name] for name in ("x", "y", "textLength") if name in piece.attrib},
                "style": styles.get(piece.get("class", ""), "").strip(),
            }
            row = int(found[1])
        elif piece.tag == f"{{{_SVG}}}rect" and piece.get("shape-rendering"):
            row = round((float(piece.get("y", "0")) - 1.5) / _ROW_HEIGHT)
        else:
            continue
        piece.tail = None
        if (piece.text or "rect").strip("\u00a0\n "):
            rows[row].append(ET.tostring(piece, "unicode").replace(f' xmlns="{_SVG}"', ""))
    return {row: "".join(pieces) for row, pieces in rows.items()}


def _spells(rows: Sequence[Rows]) -> Iterator[tuple[int, int, str]]:
    """Yield the first frame, the frame after the last, and the content of each unchanged stretch of each row."""
    for row in range(max(max(one, default=0) for one in rows) + 1):
        first = 0
        for stop in range(1, len(rows) + 1):
            if stop == len(rows) or rows[stop].get(row) != rows[first].get(row):
                if rows[first].get(row):
                    yield first, stop, rows[first][row]
                first = stop


def _name(first: int, stop: int, count: int) -> str:
    return f"f{first}-{stop} f" + (" last" if stop == count else "")


def _keyframes(first: int, stop: int, starts: Sequence[float], end: float) -> str:
    """Return the CSS rule that shows pieces from one frame until another."""
    if first == 0 and stop == len(starts) - 1:
        return f".f{first}-{stop} {{ visibility: visible }}"
    name, hidden, visible = f"f{first}-{stop}", "visibility: hidden", "visibility: visible"
    steps = [f"0% {{ {hidden if first else visible} }}"]
    steps += [f"{starts[first] * 100:.3f}% {{ {visible} }}"] if first else []
    steps += [f"{starts[stop] * 100:.3f}% {{ {hidden} }}"] if stop < len(starts) - 1 else []
    return f"@keyframes {name} {{ {' '.join(steps)} }}\n.{name} {{ animation: {name} {end:.2f}s step-end infinite }}"


def _frame_around(svg: str, groups: str, rules: str) -> str:
    """Return the picture's window frame around other contents."""
    head, _, rest = svg.partition("</style>")
    window, _, matrix = rest.rpartition('<g class="')
    inner = matrix.partition('"')[0]
    window = re.sub(r'<clipPath id="[^"]*-line-\d+">.*?</clipPath>\s*', "", window, flags=re.DOTALL)
    window = re.sub(r"<rect [^>]*shape-rendering[^>]*/>", "", window)
    still = ".f { visibility: hidden }\n.last { visibility: visible }"
    calm = "@media (prefers-reduced-motion: reduce) { .f { animation: none } }"
    return (
        f"{_RULE.sub('', head)}{still}\n{rules}\n{calm}\n</style>{window}"
        f'<g class="{inner}">{groups}</g>\n    </g>\n</svg>\n'
    )
