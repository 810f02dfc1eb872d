"""Packs Claude Desktop's bundle: `make bundle` writes ``dist/seqthink-VERSION.mcpb``.

A bundle is a zip file with a manifest. Ours is of the type `uv`: the host's uv makes the environment at first start.
It holds the wheel itself, so that it starts the version that it was released with, whatever an index has; the packages
beside it come from the host's index, in the versions that are pinned here.

    python -m tests.support.packaging.bundle DIST    packs the wheel that is in DIST, and writes the bundle there
"""

import re
import sys
import zipfile
from pathlib import Path
from typing import Final

from tests.conftest import PROJECT
from tests.support.packaging.environments import RUNTIME_PINS

_FILES: Final = {"manifest.json": PROJECT / "manifest.json", "src/main.py": PROJECT / "bundle" / "src" / "main.py"}
# The earliest that a zip file can say, so that the same files always make the same bundle.
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_PROJECT = """\
[project]
name = "seqthink-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["seqthink=={version}"]

[tool.uv]
package = false
compile-bytecode = true
constraint-dependencies = [
{constraints}]

[tool.uv.sources]
seqthink = {{ path = "{wheel}" }}
"""


def pack(wheel: Path, folder: Path) -> Path:
    """Write the bundle that holds ``wheel`` into ``folder`` and return its path."""
    version = wheel.name.split("-")[1]
    contents = {name: path.read_bytes() for name, path in _FILES.items()}
    contents[f"wheels/{wheel.name}"] = wheel.read_bytes()
    contents["pyproject.toml"] = _project(version, f"wheels/{wheel.name}").encode()
    contents["LICENSE"] = (PROJECT / "LICENSE").read_bytes()
    bundle = folder / f"seqthink-{version}.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            packed.writestr(entry, content)
    return bundle


def pins(text: str) -> list[str]:
    """Return the pins of a file of requirements, each with its marker and without its hashes."""
    return re.findall(r"^([\w.-]+==[^\\\n]+?) *\\?$", text, re.MULTILINE)


def _project(version: str, wheel: str) -> str:
    constraints = "".join(f'  "{pin}",\n' for pin in pins(RUNTIME_PINS.read_text(encoding="utf-8")))
    return _PROJECT.format(version=version, constraints=constraints, wheel=wheel)


def main(arguments: list[str]) -> int:
    """Pack the one wheel of a folder and say where the bundle is."""
    folder = Path(arguments[0])
    wheels = list(folder.glob("seqthink-*.whl"))
    if len(wheels) != 1:
        sys.stderr.write(f"{folder} must hold one wheel, and holds {len(wheels)}\n")
        return 1
    sys.stdout.write(f"{pack(wheels[0], folder)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
