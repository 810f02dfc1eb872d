"""Starts the server in Claude Desktop's bundle, with the journals where the user wants them."""

import os
import sys

from seqthink.__main__ import main

_FOLDER = "SEQTHINK_JOURNAL_DIR"

# Where the user chose no folder, the host leaves the manifest's variable as it stands; an empty one means the same.
if os.environ.get(_FOLDER, "").startswith("${"):
    del os.environ[_FOLDER]

sys.exit(main(["serve"]))
