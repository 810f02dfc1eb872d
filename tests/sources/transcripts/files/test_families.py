"""Which files are one session, by what each says that it was copied from."""

from pathlib import Path

from seqthink.sources.transcripts.files.families import Families
from seqthink.sources.transcripts.files.listing import list_files


class Folder:
    """A folder of files, each with what it was copied from."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.reads: list[str] = []
        self.families = Families(lambda name: name.removesuffix(".txt"), self._original_of)

    def write(self, session: str, original: str = "", folder: str = "") -> None:
        path = self.path / folder / f"{session}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(original or "-", "utf-8")

    def _original_of(self, path: Path) -> str | None:
        self.reads.append(path.stem)
        text = path.read_text("utf-8")
        return None if text == "?" else text.removesuffix("-")

    def group(self, limit: int = 10) -> set[str]:
        files = list_files(self.path, depth=1, wants_file=lambda name: name.endswith(".txt"))
        return {family.id for family in self.families.group(files, limit)}


def test_a_copy_and_its_copies_are_one_session_in_the_order_of_their_generations(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write("a")
    folder.write("b", "c")
    folder.write("c", "a")
    folder.write("d")

    assert folder.group() == {"a", "d"}
    copies = folder.families.copies_in(tmp_path)
    assert {first: [copy.id for copy in family] for first, family in copies.items()} == {"a": ["c", "b"]}
    first = folder.families.first_of(tmp_path, "b")
    assert first is not None
    assert Path(first.path).stem == "a"


def test_a_copy_whose_original_is_gone_or_in_another_folder_is_a_session_of_its_own(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write("a")
    folder.write("b", "gone")
    folder.write("c", "a", folder="elsewhere")

    assert folder.group() == {"a", "b", "c"}


def test_two_that_name_each_other_are_there(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write("a", "b")
    folder.write("b", "a")

    assert folder.group() != set()


def test_no_more_files_are_read_than_are_listed_and_each_is_read_once(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    for number in range(20):
        folder.write(f"s{number}")

    assert len(folder.group(3)) == 3
    assert len(folder.reads) <= 4
    folder.group(3)
    assert len(folder.reads) == len(set(folder.reads))


def test_a_file_that_does_not_say_yet_is_asked_again(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write("a", "?")

    assert folder.group() == set()
    folder.write("a")
    assert folder.group() == {"a"}
