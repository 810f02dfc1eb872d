"""The page: read back by a parser, and opened in a browser, which must ask for nothing and complain of nothing."""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.core.text import MAX_RENDERED_CHARS
from seqthink.drawing.markup.markdown import NOT_RENDERED
from seqthink.drawing.text.row_layout import MAX_BRANCH_LEVELS
from seqthink.library.live_session import load_journal
from seqthink.share.export.html import html
from seqthink.share.export.html_templates import render
from seqthink.share.export.markdown_html import thought_blocks
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.example_chains import questions, queue
from tests.support.journals.exports import HOSTILE, add_attachments, hostile, invisible_chars
from tests.support.screens.browser import Page, browser
from tests.support.servers.commands import JOURNALS, SHOP_API

VOID = {"meta", "input", "br", "hr"}
TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "p", "b", "span", "div", "nav", "input", "output",
    "button", "main", "details", "summary", "a", "svg", "g", "path", "rect", "script", "section", "table", "thead",
    "tbody", "tr", "th", "td", "ul", "ol", "li", "dl", "dt", "dd", "pre", "code", "em", "strong", "blockquote",
} | VOID  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "open", "hidden", "type", "placeholder",
    "aria-label", "aria-hidden", "autocomplete", "data-page", "width", "height", "d", "viewbox",
    "preserveaspectratio", "start", "role", "tabindex",
}  # fmt: skip
PROSE_TAGS = {
    "p", "span", "div", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol", "li", "pre", "code", "em", "strong",
    "blockquote", "br", "hr", "s",
}  # fmt: skip
PROSE_ATTRIBUTES = {
    ("class", value)
    for value in (
        "raw",
        "muted",
        "link",
        "address",
        "info",
        "wide",
        "good",
        "bad",
        "right",
        "center",
        *(f"h h{n}" for n in range(1, 7)),
    )
} | {("role", "group"), ("aria-label", "Table"), ("tabindex", "0")}
MARKDOWN_AROUND = (
    "{}", "# {}", "- {}", "> {}", "    {}", "`{}`", "*{}*", "[{}](x)", "[x]({})", "![{}](x)", "![x](y '{}')", "<{}>",
    "```{}\nx\n```", "```diff\n-{}\n```", "| {} |\n| - |\n| {} |",
    "~~{}~~", "\\({}\\)", "$$\n{}\n$$", "$${}$$", "|{}|x|\n|-:|:-:|\n|{}|x|",
)  # fmt: skip


def html_of(text: str) -> str:
    """Return what a page shows of a thought."""
    return render("blocks.html", blocks=thought_blocks([text]))


class Read(HTMLParser):
    """A page as a parser sees it: its tags, their attributes, and the text in them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.deepest = 0
        self.words: list[str] = []
        self.raw: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)
            self.deepest = max(self.deepest, len(self._open))

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    @override
    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in {"script", "style"}:
            self.raw[self._open[-1]] = data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def values(self, name: str) -> list[str]:
        return [value for _, own, value in self.attributes if own == name]


def page(journal: Path) -> str:
    return "".join(html(load_journal(journal)))


def written(builder: JournalBuilder, folder: Path) -> str:
    return page(builder.write(folder / "a.jsonl"))


def test_the_page_holds_every_thought_and_every_row_leads_to_one() -> None:
    read = Read(page(SHOP_API))

    targets = [target for target in read.values("href") if target]
    assert {target.removeprefix("#") for target in targets} == {
        value for value in read.values("id") if re.fullmatch(r"t\d+", value)
    }
    assert read.values("class").count("item") == 11
    assert "The pool's finally block now runs when the job is cancelled." in read.text
    assert "✓ done claude-code 2.1.0 2026-03-10 14:02:00 – 14:04:41 UTC 11 thoughts, 1 branch, 2 revisions" in read.text


def test_a_thought_is_headed_by_what_became_of_it() -> None:
    text = page(SHOP_API)

    [head] = re.findall(r'id="t10" open><summary>(.*?)<span class="brief">', text)
    assert re.sub(r"<[^>]+>", "", head) == "6 revises 2 estimate 6 → 8 16s 14:03:56"
    assert '<a class="revision" href="#t3">revises 2</a>' in head


def test_what_belongs_to_a_thought_stands_with_it() -> None:
    text = Read(page(JOURNALS / "full.jsonl")).text

    for words in ("audit ✓92 pass", "a.py:1 Unused.", "client left", "model asked · audit", "Judge this diff.",
                  "you were asked · limit", "declined", "+ context stored · c1", "#pool #cron", "It has 60.",
                  "» note delivered", "total 3 given, raised to 4", "✗ refused", '"thoughtNumber": 0',
                  "The server stopped with an error: disk full", "context 59%, 118k of 200k tokens"):  # fmt: skip
        assert words in text


def test_the_policy_allows_the_one_style_and_the_one_script_and_nothing_else() -> None:
    read = Read(page(SHOP_API))
    [policy] = [value for value in read.values("content") if "default-src" in value]

    hashes = {name: b64encode(sha256(text.encode()).digest()).decode() for name, text in read.raw.items()}
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    assert (read.tags["style"], read.tags["script"]) == (1, 1)
    assert "url(" not in read.raw["style"]
    assert "@import" not in read.raw["style"]
    # The script of the live page is in it, which asks its server; the policy lets this one ask nobody.
    sinks = r"XMLHttp|import|src|innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval"
    assert not re.search(sinks, read.raw["script"])


@pytest.mark.parametrize("name", ["hostile", "shop-api", "full", "minimal", "corrupt", "unknown", "torn"])
def test_a_page_has_only_tags_and_attributes_of_ours(tmp_path: Path, name: str) -> None:
    text = written(hostile(), tmp_path) if name == "hostile" else page(JOURNALS / f"{name}.jsonl")
    read = Read(text)

    assert set(read.tags) <= TAGS
    assert {name for _, name, _ in read.attributes} <= ATTRIBUTES
    assert all(re.fullmatch(r"#[ta]\d+", value) for value in read.values("href"))
    assert all(re.fullmatch(r"\d+", value) for value in read.values("start"))
    assert invisible_chars(text) == {"\n"}


@pytest.mark.parametrize("text", first(12, HOSTILE.values()), ids=HOSTILE)
def test_a_hostile_text_is_all_there_as_text(tmp_path: Path, text: str) -> None:
    number = re.search(r"77\d\d|G7|cGF5", text)

    shown = Read(written(JournalBuilder().session(title=text).thought(text).rejected(text), tmp_path))

    assert number is None or shown.text.count(number[0]) >= 3
    assert shown.tags["img"] == 0
    assert shown.tags["script"] == 1


def skeleton(read: Read) -> tuple[dict[str, int], list[tuple[str, str, str]]]:
    """Return what a page is made of besides text: its tags, and its attributes with their values."""
    return read.tags, [each for each in read.attributes if each[1] != "content"]


@pytest.mark.parametrize("text", first(12, HOSTILE.values()), ids=HOSTILE)
def test_a_hostile_text_in_any_place_changes_no_tag_and_no_attribute(tmp_path: Path, text: str) -> None:
    def shown(word: str, thought: str) -> Read:
        builder = JournalBuilder().session(title=word, client=word)
        builder.thought(thought, coerced=[word], hint=word)
        add_attachments(builder, word)
        said = [{"role": "user", "content": word}]
        builder.sample(builder.seq, word, messages=said, parsed={"diff": f"-{word}"}, model=word)
        details = {"summary": word, "inline": [{"path": word, "line": word, "comment": word}], "citations": [word]}
        judges = [{"model": word, "score": word, "notes": word}]
        dimensions = [{"name": word, "score": 50}]
        review = {"verdict": "revise", "overall": 40, "dimensions": dimensions, "review": details,
                  "judge_cards": judges, "proposed_diff": f"+{word}"}  # fmt: skip
        builder.audit(2, review=review, config={"judges": [word]})
        builder.thought(thought, 2, branch=word, from_=1).rejected(word, arguments={word: [word]}, tool=word)
        return Read(written(builder.rejected(word, arguments=word).end("error", error=word), tmp_path))

    assert skeleton(shown(text, "x")) == skeleton(shown("word", "x"))


@pytest.mark.parametrize("text", first(12, HOSTILE.values()), ids=HOSTILE)
def test_markdown_around_a_hostile_text_has_only_tags_and_attributes_of_ours(text: str) -> None:
    for form in MARKDOWN_AROUND:
        shown = html_of(form.replace("{}", text))
        read = Read(shown)

        assert set(read.tags) <= PROSE_TAGS
        assert {(name, value) for _, name, value in read.attributes} <= PROSE_ATTRIBUTES
        assert invisible_chars(shown) <= {"\n"}


def test_markdown_is_rendered_with_tags_of_ours() -> None:
    written = "# Plan\n\n- **one** `a<b`\n- two\n\n3. *x*\n\n> q\n\n| a | b |\n|---|---|\n| 1 | < |\n\n---\n"

    shown = html_of(written + "```diff\n--- a/f\n+++ b/f\n-old\n+new\n```\n")

    for piece in ('<p class="h h1">Plan</p>', "<li><strong>one</strong> <code>a&lt;b</code></li>", '<ol start="3">',
                  "<em>x</em>", "<blockquote>\n<p>q</p>", "<th>a</th>", "<td>&lt;</td>", "<hr>",
                  '<span class="bad">-old</span>\n<span class="good">+new</span>'):  # fmt: skip
        assert piece in shown


def test_formulas_strikes_and_sides_of_columns_are_on_the_page_too() -> None:
    shown = html_of("~~no~~ \\(a\\,*b*\\)\n\n\\[\n<x>\n\\]\n\n| a | b |\n|--:|:-:|\n| 1 | 2 |\n")

    for piece in ("<s>no</s> \\(a\\,*b*\\)", '<p class="raw">\\[\n&lt;x&gt;\n\\]</p>', '<td class="right">1</td>',
                  '<th class="center">b</th>'):  # fmt: skip
        assert piece in shown


def test_links_and_images_stand_with_their_addresses_and_are_neither() -> None:
    shown = html_of(
        "[the site](http://a.example 'T') <http://b.example> ![pic](http://c.example/x.png) [x](javascript:y)"
    )

    assert shown == (
        '<p><span class="link">the site</span> <span class="address">(http://a.example “T”)</span> '
        '<span class="link">http://b.example</span> '
        '<span class="muted">image:</span> pic <span class="address">(http://c.example/x.png)</span> '
        "[x](javascript:y)</p>\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\ntwo", "<p>one\ntwo</p>\n"),
        ("one  \ntwo", "<p>one<br>\ntwo</p>\n"),
        (r"one\ntwo", "<p>one<br>\ntwo</p>\n"),
        ("one\n \ntwo\x00", "<p>one</p>\n<p>two␀</p>\n"),
        ("a & b", "<p>a &amp; b</p>\n"),
        ("", ""),
        ("> " * 100 + "deep", f'<p class="raw">{"&gt; " * 100}deep</p>\n'),
        ("[" * 9000, f'<p class="raw">{"[" * 9000}</p>\n'),
        (
            "*" * (MAX_RENDERED_CHARS + 1),
            f'<p class="muted">{NOT_RENDERED}</p>\n<p class="raw">{"*" * (MAX_RENDERED_CHARS + 1)}</p>\n',
        ),
    ],
    ids=["soft", "hard", "escaped", "paragraphs", "entity", "empty", "deep", "brackets", "huge"],
)
def test_what_is_no_markup_or_too_much_of_it_is_shown_as_it_is_written(text: str, shown: str) -> None:
    assert html_of(text) == shown


def test_branches_are_nested_and_too_deep_ones_are_not(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("x", 1, 99)
    for number in range(2, 40):
        builder.thought("x", number, 99, branch=f"b{number}", from_=number - 1)

    shallow, deep = Read(written(queue(), tmp_path)), Read(written(builder, tmp_path))

    assert shallow.values("class").count("part") == 4
    assert deep.values("class").count("part") == MAX_BRANCH_LEVELS
    assert deep.values("class").count("item") == 39
    assert deep.deepest < 40


def test_each_chain_is_a_part_of_its_own(tmp_path: Path) -> None:
    read = Read(written(questions(), tmp_path))

    assert read.values("class").count("part chain") == 12
    assert "Chain 12" in read.text


def test_a_journal_without_a_thought_says_so(tmp_path: Path) -> None:
    assert "No thoughts yet." in Read(written(JournalBuilder(), tmp_path)).text
    assert "✗ refused" in Read(written(JournalBuilder().session().rejected(), tmp_path)).text


# In a browser


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser")) as shown:
        yield shown


def saved(builder: JournalBuilder, folder: Path) -> Path:
    (folder / "a.html").write_text(written(builder, folder), encoding="utf-8")
    return folder / "a.html"


def test_the_browser_asks_for_nothing_else_and_complains_of_nothing(opened: Page, tmp_path: Path) -> None:
    path = saved(hostile(), tmp_path)
    opened.requests.clear()
    opened.complaints.clear()

    for width in (1200, 400):
        opened.open(path, width)
        assert opened.ask("document.documentElement.scrollWidth") <= width

    assert opened.requests == [path.as_uri()] * 2
    assert opened.complaints == []
    assert opened.ask("document.querySelectorAll('script').length") == 1
    assert opened.ask("getComputedStyle(document.querySelector('nav')).minWidth") == "0px"


def test_the_tree_marks_the_thought_to_which_a_key_led(opened: Page, tmp_path: Path) -> None:
    opened.open(saved(shop_api(), tmp_path), 1440)
    marked = "document.querySelector('.row.here')?.getAttribute('href')"

    for key, place in (("G", -1), ("g", 0), ("G", -1), ("k", -2)):
        opened.press(key)
        opened.until(f"location.hash === '#' + [...document.querySelectorAll('main .item')].at({place}).id")
        # the watcher of what is in view has its turn in each of these frames
        opened.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
        assert opened.ask(f"{marked} === location.hash"), (key, opened.ask(marked))


def test_the_policy_stops_what_is_not_ours(opened: Page, tmp_path: Path) -> None:
    path = saved(shop_api(), tmp_path)
    path.write_text(
        path.read_text("utf-8").replace("<main", "<script>document.title = 'mine'</script><img src='x.png'><main"),
        "utf-8",
    )
    opened.complaints.clear()

    opened.open(path)

    assert opened.ask("document.title") == "shop-api"
    opened.wait_for_event("Content Security Policy", 2)


SHOWN = "[...document.querySelectorAll('{}')].filter((one) => one.checkVisibility()).map((one) => one.{})"


def search(opened: Page, words: str) -> None:
    opened.ask(
        f"(() => {{ const field = document.getElementById('find'); field.value = {words!r}; "
        "field.dispatchEvent(new Event('input')); })()"
    )
    opened.until(f"(document.getElementById('found').textContent !== '') === {'true' if words else 'false'}")


def test_a_search_leaves_what_matches_in_the_tree_and_beside_it(opened: Page, tmp_path: Path) -> None:
    opened.open(saved(queue(), tmp_path))
    opened.ask("for (const one of document.querySelectorAll('.part')) one.open = false")

    search(opened, "POSTGRES slow")

    assert opened.ask(SHOWN.format("main .item", "id")) == ["t9"]
    assert opened.ask(SHOWN.format("nav a.row", "hash")) == ["#t9"]
    assert opened.ask(SHOWN.format("main .title", "textContent")) == ["fsync"]
    assert opened.ask("document.getElementById('found').textContent") == "1 of 13"
    search(opened, "")
    assert len(opened.ask(SHOWN.format("nav a.row", "hash"))) == 7  # the other three branches are still folded


def test_a_wide_table_scrolls_and_breaks_no_word_and_branches_have_their_colours(opened: Page, tmp_path: Path) -> None:
    table = "| ThroughputPerSecond | Recommendation | tests/claude/test_records.py |\n|-|-|-|\n| 1 | Preferable | x |"
    builder = JournalBuilder().session().thought(table, 1).thought("x" * 3000 + f"\n\n| {'y' * 3000} |\n|-|", 2)
    for name in ("first", "second"):
        builder.thought(name, 1, 1, branch=name, from_=1)

    opened.open(saved(builder, tmp_path), 390)

    broken = "[...document.querySelectorAll('#t2 th')].filter((cell) => { const range = document.createRange(); "
    broken += "range.selectNodeContents(cell); return range.getClientRects().length > 1; }).length"
    assert opened.ask(broken) == 0
    wide = (
        "[...document.querySelectorAll('.wide')].map((one) => one.scrollWidth > one.clientWidth && one.tabIndex === 0)"
    )
    assert opened.ask(wide) == [True, True]
    assert opened.ask("document.documentElement.scrollWidth <= innerWidth")
    assert opened.ask("document.querySelector('#t3 th').clientWidth < 600")
    colour = "[...document.querySelectorAll('{}')].map((one) => getComputedStyle(one).color)"
    headings = opened.ask(colour.format("main .branch .title"))
    assert len({*headings}) == 2
    assert headings == opened.ask(colour.format("main .branch"))


def test_fold_all_leaves_the_headings_of_chains_and_unfold_all_brings_everything_back(
    opened: Page, tmp_path: Path
) -> None:
    two = JournalBuilder().session().thought("Why?", 1, 1, next=False).thought("And now?", 1, 2).thought("So", 2, 2)
    opened.open(saved(two, tmp_path))
    rows = len(opened.ask(SHOWN.format("nav .row", "textContent")))

    opened.ask("document.getElementById('fold').click()")

    assert len(opened.ask(SHOWN.format("nav .row", "textContent"))) == 2
    assert opened.ask(SHOWN.format("main .item", "id")) == []
    assert len(opened.ask(SHOWN.format("main .part.chain > summary", "textContent"))) == 2
    opened.ask("document.getElementById('fold').click()")
    assert len(opened.ask(SHOWN.format("nav .row", "textContent"))) == rows
    assert len(opened.ask(SHOWN.format("main .prose", "textContent"))) == 3


def test_following_a_row_opens_what_its_thought_is_folded_in(opened: Page, tmp_path: Path) -> None:
    opened.open(saved(queue(), tmp_path))
    opened.ask("for (const one of document.querySelectorAll('main details')) one.open = false")

    opened.ask("document.querySelector('a.row[href=\"#t9\"]').click()")

    opened.until("document.getElementById('t9').checkVisibility() && document.getElementById('t9').open")


def test_everything_but_the_search_is_there_without_the_script(opened: Page, tmp_path: Path) -> None:
    path = saved(queue(), tmp_path)

    opened.open(path, script=False)

    assert len(opened.ask(SHOWN.format("main .item .prose", "textContent"))) == 13
    assert len(opened.ask(SHOWN.format("nav a.row", "hash"))) == 13
    assert opened.ask("document.getElementById('tools').checkVisibility()") is False
    opened.call("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.parametrize(("dark", "background"), [(False, "rgb(252, 251, 248)"), (True, "rgb(21, 24, 30)")])
def test_the_page_is_light_or_dark_as_its_reader_likes_it(
    opened: Page, tmp_path: Path, dark: bool, background: str
) -> None:
    opened.open(saved(shop_api(), tmp_path), dark=dark)

    assert opened.ask("getComputedStyle(document.documentElement).backgroundColor") == background


def test_what_is_folded_is_printed_too_and_on_white(opened: Page, tmp_path: Path) -> None:
    path = saved(queue(), tmp_path)
    opened.open(path, media="print", dark=True)
    opened.ask("for (const one of document.querySelectorAll('details')) one.open = false")

    opened.ask("dispatchEvent(new Event('beforeprint'))")

    assert len(opened.ask(SHOWN.format("main .item .prose", "textContent"))) == 13
    assert opened.ask("document.getElementById('tools').checkVisibility()") is False
    assert opened.ask("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
