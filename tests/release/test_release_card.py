"""The card is read back by a bounded reader, by PyYAML's rules and by the hub's own client alike."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from polyfact import release
from polyfact.errors import DataError
from polyfact.release import _yaml
from polyfact.release._card import config_name, language_list
from polyfact.release._prose import _cell
from polyfact.release._yaml import dump_yaml, parse_yaml
from polyfact.schemas import write_jsonl
from tests.support.items_fixture import item, write_settings, write_workspace


def make(workspace: Path, languages: dict[str, Path], topics: dict[str, Path], licence: str = "CC0-1.0") -> Path:
    folder = release.build(
        workspace,
        version="1.0.0",
        name="odd-capitals",
        licence=licence,
        unaudited=True,
        languages_used=languages,
        topics_used=topics,
        homepage="https://example.org/?a=1&b=<c>",
    ).folder
    return folder / "README.md"


def test_norwegian_stays_text_for_every_reader(tmp_path: Path) -> None:
    languages, topics = write_settings(tmp_path)
    for code in ("no", "or", "pt-BR"):
        languages[code] = tmp_path / "languages" / f"{code}.toml"
        languages[code].write_text(f'code = "{code}"\n')
    write_jsonl(
        tmp_path / "items.jsonl",
        [item("capitals", "local:a", code, "?", ["x"]) for code in ("pt-BR", "no", "or")],
    )
    path = make(tmp_path, languages, topics)
    card = release.read_card(path)
    assert card.languages == ["no", "or", "pt-BR"]
    assert set(card.configs) == {
        "all", "no", "or", "pt-br", "capitals", "capitals-no", "capitals-or", "capitals-pt-br",
    }  # fmt: skip
    text = path.read_text(encoding="utf-8")
    assert '\n- "no"\n' in text
    front = text.split("---\n")[1]
    assert yaml.safe_load(front) == card.front
    hub = pytest.importorskip("huggingface_hub")
    assert hub.DatasetCard.load(path).data.language == card.languages


def test_the_card_says_what_a_user_must_know(tmp_path: Path) -> None:
    path = make(tmp_path, *write_workspace(tmp_path))
    card = release.read_card(path)
    assert card.front["license"] == "cc0-1.0" and card.front["size_categories"] == ["n<1K"]
    assert [config["config_name"] for config in card.front["configs"] if config.get("default")] == ["all"]
    for config in card.front["configs"]:
        for file in config["data_files"]:
            paths = [file["path"]] if isinstance(file["path"], str) else file["path"]
            assert paths and all(name.endswith(".parquet") and (path.parent / name).is_file() for name in paths)
    assert "**This release is unaudited.**" in card.text
    assert (
        "**10 items of 20 carry word forms that no native speaker has reviewed yet** (Hindi 5, Turkish 5)." in card.text
    )
    assert "| Capitals | 3 | 3 | 3 | 3 | 12 |" in card.text and "| all | 5 | 5 | 5 | 5 | 20 |" in card.text
    assert "no-form 3" in card.text and "natural: " in card.text and "| hi | \\`x\\`" not in card.text
    assert "https://example.org/?a=1&amp;b=&lt;c&gt;" in card.text
    assert "Poseidonia" not in card.text, "an answer stands in the card"


def test_the_canary_is_of_this_content(tmp_path: Path) -> None:
    def canary(path: Path) -> str:
        return next(line for line in path.read_text(encoding="utf-8").splitlines() if "canary GUID" in line)

    first = canary(make(tmp_path / "a", *write_workspace(tmp_path / "a")))
    assert first == canary(make(tmp_path / "b", *write_workspace(tmp_path / "b", shuffle=3)))
    languages, topics = write_settings(tmp_path / "c")
    write_jsonl(tmp_path / "c" / "items.jsonl", [item("capitals", "local:a", "en", "?", ["x"])])
    assert first != canary(make(tmp_path / "c", languages, topics))


@pytest.mark.parametrize(
    ("spdx", "expected"),
    [
        ("CC-BY-SA-4.0", {"license": "cc-by-sa-4.0"}),
        ("ODbL-1.0", {"license": "odbl"}),
        ("My Licence", {"license": "other", "license_name": "my-licence"}),
    ],
)
def test_licences_by_the_hub_s_names(tmp_path: Path, spdx: str, expected: dict[str, str]) -> None:
    front = release.read_card(make(tmp_path, *write_workspace(tmp_path), licence=spdx)).front
    assert {key: value for key, value in front.items() if key.startswith("license")} == expected


def test_names_of_configurations_and_languages() -> None:
    assert config_name("capitals", "en") == "capitals-en" and config_name("zh-Hans") == "zh-hans"
    assert config_name("factual_questions") == "factual_questions"
    for name in ("gen fact", "hi/or", "", "हिन्दी", "a.b", "a\n"):
        with pytest.raises(DataError, match="cannot name a configuration"):
            config_name(name)
    assert language_list(["or", "no", "hi", "no"]) == ["hi", "no", "or"]
    with pytest.raises(DataError, match="null"):
        language_list(["hi", None])


def test_two_configurations_of_one_name_are_refused(tmp_path: Path) -> None:
    languages, topics = write_settings(tmp_path)
    topics["en"] = topics["capitals"]
    rows = [item("en", "local:a", "en", "?", ["x"]), item("capitals", "local:a", "en", "?", ["x"])]
    write_jsonl(tmp_path / "items.jsonl", rows)
    with pytest.raises(DataError, match='two configurations would be called "en"'):
        make(tmp_path, languages, topics)
    assert list((tmp_path / "releases").iterdir()) == []


@pytest.fixture(params=["libyaml", "python"])
def both_loaders(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """PyYAML with and without its C library."""
    if request.param == "python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    elif not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML was built without libyaml")
    _yaml._tools.cache_clear()
    yield
    _yaml._tools.cache_clear()


@pytest.mark.usefixtures("both_loaders")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lang: no", {"lang": "no"}),
        ("a: [yes, off, on, y, NO]", {"a": ["yes", "off", "on", "y", "NO"]}),
        ("d: 2026-11-30\nt: 12:30:00", {"d": "2026-11-30", "t": "12:30:00"}),
        ("z: 0123\nu: 1_000", {"z": 123, "u": "1_000"}),
        ("a: true\nb: ~\nc:\nd: 1.5e3\ne: -7\nf: 0x1F\ng: 0o17\nh: .5", {
            "a": True, "b": None, "c": None, "d": 1500.0, "e": -7, "f": 31, "g": 15, "h": 0.5}),
        ("stages:\n  - fetch", {"stages": ["fetch"]}),
        ("a: '1'\nb: \"true\"\n<<: x", {"a": "1", "b": "true", "<<": "x"}),
        ("a: &a [1,2]\nb: [*a,*a,*a]", {"a": [1, 2], "b": [[1, 2]] * 3}),
        ("", None),
    ],
)  # fmt: skip
def test_scalars_of_yaml_1_2(text: str, expected: object) -> None:
    assert parse_yaml(text, where="card") == expected


BOMB = "a0: &a0 [x,x]\n" + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))


@pytest.mark.usefixtures("both_loaders")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x: !!python/object/apply:os.system ['true']", "a tag"),
        ("x: !!binary aGk=", "a tag"),
        ("x: !local 1", "a tag"),
        (BOMB, "once aliases are followed"),
        ("a: &a [*a]", "an alias that holds itself"),
        ("[" * 50, "nested deeper than 40"),
        ("[" * 5000, "nested deeper than 40|maximum nesting depth"),
        ("a: 1\na: 2", "key a stands twice"),
        ("? [1]\n: 2", "a key that is no scalar"),
        ("a: [1", "not valid YAML"),
        ("a: \x07", "not valid YAML"),
        ("a: " + "9" * 5000, "a number of 5000 digits"),
        ("a: " + "x" * 4_000_001, "larger than"),
    ],
)
def test_what_the_reader_refuses(text: str, message: str) -> None:
    start = time.monotonic()
    with pytest.raises(DataError, match=message):
        parse_yaml(text, where="card")
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# no front matter", "no front matter"),
        ("---\nlanguage: [en, null]\n---\n", "language must be text"),
        ("---\nlanguage: [true]\n---\n", "language must be text"),
        ("---\n- a\n---\n", "not a table"),
        ("---\nconfigs: [x]\n---\n", "configs must be"),
        ("---\na: b\n", "no front matter"),
    ],
)
def test_cards_that_are_none(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "README.md").write_text(text)
    with pytest.raises(DataError, match=message):
        release.read_card(tmp_path / "README.md")


def test_a_card_from_windows(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_bytes(b"\xef\xbb\xbf---\r\nlanguage: no\r\n---\r\n# T\r\n---\r\n")
    card = release.read_card(tmp_path / "README.md")
    assert card.languages == ["no"] and card.text == "# T\n---\n"
    (tmp_path / "README.md").write_bytes(b"---\na: \xff\n---\n")
    with pytest.raises(DataError, match="not UTF-8"):
        release.read_card(tmp_path / "README.md")


SCALARS = (
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(st.characters(exclude_categories=["Cs", "Cc"]))
)
WORDS = st.sampled_from(
    ["no", "true", "~", "1e3", "2026-11-30", "0x1", ".5", "<<", "=", "- a", "a: b", "#", "", " ", "yes"]
)
VALUES = st.recursive(SCALARS | WORDS, lambda inner: st.lists(inner, max_size=3), max_leaves=8)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text("abcno-", min_size=1), VALUES, max_size=4))
def test_what_is_written_is_read_back(value: dict[str, object]) -> None:
    assert parse_yaml(dump_yaml(value), where="card") == value
    assert yaml.safe_load(dump_yaml(value)) == value


def test_text_cannot_leave_its_cell() -> None:
    assert _cell("A | B\n`x` <b>[l](u)*") == "A \\| B \\`x\\` &lt;b&gt;\\[l\\](u)\\*"
