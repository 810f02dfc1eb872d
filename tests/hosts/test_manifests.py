"""Each manifest is what its host demands, says what the project says, and is written from one place."""

import json
import re
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from jsonschema.validators import Draft202012Validator
from ruamel.yaml import YAML

import seqthink
from seqthink.connect.clients.snippets import plain_entry
from seqthink.server.prompts.thinking_prompts import PROMPTS
from tests.conftest import PROJECT
from tests.project.test_project import tracked_texts
from tests.support.hosts.identity import Identity, read_identity
from tests.support.hosts.links import cursor_link, vscode_link
from tests.support.hosts.manifests import (
    BUNDLE,
    LAUNCH,
    accounts_in,
    as_text,
    bundle_fields,
    manifests,
    rename,
    rename_in,
    write,
)
from tests.support.hosts.skill import think_skill

Json = dict[str, Any]

WHO = read_identity(PROJECT)
HERE = "tests/hosts/"
"""Where accounts are named that nobody has."""
SCHEMAS = Path(__file__).parent / "schemas"
HELD = {
    "server.json": "server",
    "gemini-extension.json": "gemini-extension",
    "plugin/plugin.json": "agent-plugin",
    "plugin/mcp.json": "agent-plugin-mcp",
    "plugin/.claude-plugin/plugin.json": "claude-plugin",
    "plugin/.mcp.json": "claude-mcp",
    ".claude-plugin/marketplace.json": "claude-marketplace",
    ".agents/plugins/marketplace.json": "codex-marketplace",
}
"""The schema of each manifest."""
WRONG: list[tuple[str, Json, str]] = [
    ("server.json", {"description": "x" * 101}, "description"),
    ("server.json", {"name": "io.github.OWNER/a/b"}, "name"),
    ("server.json", {"version": "^0.1.0"}, "version"),
    ("server.json", {"postInstallInstructions": "no"}, ""),
    ("server.json", {"packages": [{"registryType": "pypi", "identifier": "x", "transport": {"type": "stdio"}}]},
     "packages.0"),
    ("server.json", {"packages": [{"registryType": "mcpb", "identifier": "x", "transport": {"type": "stdio"}}]},
     "packages.0"),
    ("plugin/plugin.json", {"mcpServers": {}}, ""),
    ("plugin/plugin.json", {"name": "Seqthink"}, "name"),
    ("plugin/mcp.json", {"mcpServers": {"seqthink": {"command": "uvx"}}}, "mcpServers.seqthink"),
    ("plugin/.claude-plugin/plugin.json", {"$schema": "https://example.org/plugin"}, ""),
    ("plugin/.mcp.json", {"mcpServers": {"seqthink": {"args": []}}}, "mcpServers.seqthink"),
    (".claude-plugin/marketplace.json", {"plugins": [{"name": "seqthink", "source": "plugin"}]}, "plugins.0.source"),
    (".agents/plugins/marketplace.json", {"plugins": [{"name": "seqthink", "source": "./plugin"}]}, "plugins.0"),
    ("gemini-extension.json", {"name": "seq think"}, "name"),
]  # fmt: skip


def manifest(path: str) -> Json:
    return json.loads((PROJECT / path).read_text("utf-8"))


def schema(name: str) -> Json:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))


def faults(value: Json, name: str) -> set[str]:
    """Return the places at which ``value`` is not what the schema ``name`` demands."""
    validator = cast("Any", Draft202012Validator(schema(name)))  # its module has no types of its own
    found = validator.iter_errors(value)
    return {".".join(str(part) for part in error.absolute_path) for error in found}


def skill_head() -> Json:
    _, head, _ = (PROJECT / "plugin/skills/think/SKILL.md").read_text("utf-8").split("---\n", 2)
    return dict(YAML(typ="safe").load(head))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] - the library has no types


def clone(folder: Path) -> Path:
    """Return a clone of the files that are committed here, or would be."""
    for path, text in tracked_texts().items():
        if not path.endswith((".svg", ".jsonl")):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("path", manifests(WHO))
def test_a_manifest_is_written_as_the_project_says(path: str) -> None:
    assert (PROJECT / path).read_text("utf-8") == manifests(WHO)[path], "make manifests"


@pytest.mark.parametrize("path", HELD)
def test_a_manifest_is_what_its_host_demands(path: str) -> None:
    assert faults(manifest(path), HELD[path]) == set()


def test_every_manifest_has_a_schema_and_every_schema_is_one() -> None:
    used = {*HELD.values(), "skill"}

    assert {path for path in manifests(WHO) if path.endswith(".json")} == HELD.keys()
    assert {path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.json")} == used
    for name in used:
        Draft202012Validator.check_schema(schema(name))
        assert f"`{name}.schema.json`" in (SCHEMAS / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("path", "wrong", "place"), WRONG, ids=[f"{path} {next(iter(wrong))}" for path, wrong, _ in WRONG]
)
def test_a_manifest_that_its_host_would_refuse_fails(path: str, wrong: Json, place: str) -> None:
    assert place in faults(manifest(path) | wrong, HELD[path])


def test_names_versions_and_descriptions_are_alike_wherever_they_stand() -> None:
    said = [manifest(path) for path in HELD] + [manifest(BUNDLE)]
    packages = manifest("server.json")["packages"]
    plugins = [plugin for path in HELD for plugin in manifest(path).get("plugins", [])]

    assert {value["version"] for value in [*said, *packages] if "version" in value} == {seqthink.__version__}
    assert {value["description"] for value in [*said, *plugins] if "description" in value} == {WHO.description}
    assert {value["name"] for value in [*said, *plugins] if "name" in value} == {"seqthink", WHO.registry_name}
    assert {package["identifier"] for package in packages} == {"seqthink"}


def test_every_manifest_starts_the_server_as_it_is_published() -> None:
    entries = [manifest(path)["mcpServers"] for path in HELD if "mcpServers" in manifest(path)]
    [package] = manifest("server.json")["packages"]
    arguments = [argument["value"] for argument in package["packageArguments"]]

    assert [list(entry) for entry in entries] == [["seqthink"]] * 3
    assert {(entry["seqthink"]["command"], *entry["seqthink"]["args"]) for entry in entries} == {
        ("uvx", "seqthink", "serve")
    }
    assert [package["runtimeHint"], package["identifier"], *arguments] == LAUNCH.command_line


def test_the_marketplaces_lead_to_the_folder_of_the_plugin() -> None:
    [claude] = manifest(".claude-plugin/marketplace.json")["plugins"]
    [codex] = manifest(".agents/plugins/marketplace.json")["plugins"]

    assert claude["source"] == codex["source"]["path"]
    assert (PROJECT / claude["source"] / "plugin.json").is_file()


def test_the_skill_says_what_the_server_s_prompt_says_and_its_head_is_one() -> None:
    assert faults(skill_head(), "skill") == set()
    assert skill_head()["name"] == "think"
    assert "sequentialthinking" in skill_head()["description"]
    assert PROMPTS["think"].instructions() in think_skill()
    assert faults({"name": "Think", "description": ""}, "skill") == {"name", "description"}


def test_the_bundle_repeats_what_the_project_says() -> None:
    bundle = manifest(BUNDLE)

    assert bundle | bundle_fields(WHO) == bundle


def test_a_version_that_moved_on_is_written_into_every_manifest_and_a_second_time_into_none(tmp_path: Path) -> None:
    copy = clone(tmp_path / "copy")
    package = copy / "seqthink" / "__init__.py"
    package.write_text(package.read_text("utf-8").replace(WHO.version, "9.8.7"), "utf-8")

    changed = write(copy)

    assert set(changed) == {
        *("server.json", "gemini-extension.json", "plugin/plugin.json", "plugin/.claude-plugin/plugin.json", BUNDLE),
    }
    assert all("9.8.7" in (copy / path).read_text("utf-8") for path in changed)
    assert write(copy) == []


def test_every_file_names_one_account() -> None:
    named = {path: accounts_in(text, WHO.name) for path, text in tracked_texts().items() if not path.startswith(HERE)}

    assert {path: accounts for path, accounts in named.items() if accounts - {WHO.account}} == {}
    assert named["pyproject.toml"] == named["server.json"] == {WHO.account}


@pytest.mark.deep  # it copies and reads the whole repository, twice
def test_an_account_is_named_in_every_file_by_one_command_and_can_be_renamed(tmp_path: Path) -> None:
    copy = clone(tmp_path / "copy")
    texts = tracked_texts().items()
    named = {path for path, text in texts if accounts_in(text, WHO.name) and not path.startswith(HERE)}

    for account in ("some-one", "other"):
        assert set(rename_in(copy, account)) == named
        assert read_identity(copy).account == account
        assert manifest_of(copy, "server.json")["name"] == f"io.github.{account}/seqthink"
        assert manifest_of(copy, "plugin/plugin.json")["repository"] == f"https://github.com/{account}/seqthink"


def manifest_of(root: Path, path: str) -> Json:
    return json.loads((root / path).read_text("utf-8"))


@pytest.mark.deep  # that a version is written into every manifest is tried always
def test_a_command_names_the_files_that_it_wrote_and_refuses_what_is_no_account() -> None:
    command = [sys.executable, "-m", "tests.support.hosts.manifests"]

    done = subprocess.run(command, cwd=PROJECT, capture_output=True, encoding="utf-8", timeout=60, check=False)
    refused = subprocess.run(
        [*command, "--owner", "no/body"], cwd=PROJECT, capture_output=True, encoding="utf-8", timeout=60, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert refused.returncode == 2
    assert "'no/body' is not an account" in refused.stderr


@pytest.mark.parametrize("account", ["", "-a", "a-", "a--b", "a b", "a/b", "x" * 40, "é"])
def test_what_is_no_account_is_refused(account: str) -> None:
    with pytest.raises(ValueError, match="is not an account"):
        rename({}, WHO, account)


def test_only_the_repository_s_own_account_is_renamed() -> None:
    who = WHO._replace(account="seqthink")
    kept = "seqthink/seqthink, github.com/seqthink/other, github.com/seqthink/seqthink-more, github.com/else/seqthink"
    text = f"{kept} https://github.com/seqthink/seqthink.git io.github.seqthink/seqthink"

    renamed = rename({"a": text, "b": kept}, who, "me")

    assert renamed == {"a": f"{kept} https://github.com/me/seqthink.git io.github.me/seqthink"}


def test_a_project_without_a_repository_or_a_version_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    (copy / "seqthink").mkdir(parents=True)
    (copy / "seqthink" / "__init__.py").write_text("", "utf-8")
    (copy / "pyproject.toml").write_text((PROJECT / "pyproject.toml").read_text("utf-8"), "utf-8")

    with pytest.raises(ValueError, match="names no repository"):
        read_identity(copy)


def test_a_manifest_ends_with_one_newline_and_keeps_its_letters() -> None:
    assert as_text({"a": "é"}) == '{\n  "a": "é"\n}\n'


def test_the_description_fits_where_it_is_shortest() -> None:
    assert len(WHO.description) <= 100
    assert not WHO.description.endswith(".")


def test_the_link_of_vs_code_says_the_entry() -> None:
    link = urlsplit(vscode_link(LAUNCH))
    query = parse_qs(link.query)

    assert (link.scheme, link.netloc) == ("https", "insiders.vscode.dev")
    assert query["name"] == ["seqthink"]
    assert json.loads(query["config"][0]) == plain_entry(LAUNCH)
    assert unquote(link.query) != link.query


def test_the_link_of_cursor_says_the_entry() -> None:
    link = urlsplit(cursor_link(LAUNCH))
    query = parse_qs(link.query)

    assert (link.scheme, link.netloc) == ("https", "cursor.com")
    assert link.path == "/en/install-mcp"
    assert query["name"] == ["seqthink"]
    assert json.loads(b64decode(query["config"][0])) == plain_entry(LAUNCH)


def test_the_install_links_for_after_a_release_are_those_and_so_is_the_readme_s_name_for_the_registry() -> None:
    readme = (PROJECT / "README.md").read_text("utf-8")
    releasing = (PROJECT / "docs/releasing.md").read_text("utf-8")
    links = re.findall(r"\((https://[^)\s]+install[^)\s]*\?[^)\s]+)\)", releasing)

    assert sorted(links) == sorted([vscode_link(LAUNCH), cursor_link(LAUNCH)])
    assert re.findall(r"<!-- mcp-name: (\S+) -->", readme) == [WHO.registry_name]
    assert f"/plugin install {WHO.name}@{manifest('.claude-plugin/marketplace.json')['name']}" in releasing


def identities() -> list[Identity]:
    return [WHO, WHO._replace(account="a-b", repository="https://github.com/a-b/seqthink", version="1.0.0-rc.1")]


@pytest.mark.parametrize("who", identities(), ids=lambda who: who.account)
def test_manifests_of_another_account_and_version_are_what_their_hosts_demand(who: Identity) -> None:
    written = {path: json.loads(text) for path, text in manifests(who).items() if path in HELD}

    assert {path for path, value in written.items() if faults(value, HELD[path])} == set()
    assert not re.search(r"\bOWNER\b", json.dumps(written)) or who.account == "OWNER"
