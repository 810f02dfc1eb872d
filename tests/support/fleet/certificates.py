"""Certificates for a test, made by openssl: an authority, a server that it vouches for, and another authority."""

import shutil
import subprocess
from pathlib import Path

WITHOUT_OPENSSL = "openssl is not on PATH"


def has_openssl() -> bool:
    """Whether certificates can be made."""
    return shutil.which("openssl") is not None


def make_certificates(folder: Path, name: str = "IP:127.0.0.1") -> Path:
    """Fill a folder with `ca.crt`, `other.crt`, `server.crt` and `server.key`; the server is the one of ``name``."""
    folder.mkdir(parents=True, exist_ok=True)
    for authority in ("ca", "other"):
        _openssl(
            folder,
            *("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", f"/CN={authority}"),
            *("-keyout", f"{authority}.key", "-out", f"{authority}.crt"),
            *("-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign"),
        )
    _openssl(folder, *("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=engine"), *_server("key", "csr"))
    (folder / "names").write_text(f"subjectAltName={name}\n", encoding="ascii")
    _openssl(
        folder,
        *("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"),
        *("-days", "30", "-extfile", "names", "-out", "server.crt"),
    )
    return folder


def _server(key: str, request: str) -> tuple[str, ...]:
    return ("-keyout", f"server.{key}", "-out", f"server.{request}")


def _openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=60)
