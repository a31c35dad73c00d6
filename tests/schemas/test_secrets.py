"""Secrets in text that is shown or stored; case ids are those of the shared case file."""

import pytest

from polyfact._terminal import explain, fail_line
from polyfact.errors import PolyfactError
from polyfact.schemas import redact
from polyfact.schemas._secrets import secret_values

KEY = "k3y-that-is-mine/+="
ENVIRON = {"SOME_API_KEY": KEY, "DB_PASSWORD": "hunter2", "HOME": "/home/someone", "LANG": "C.UTF-8"}


@pytest.mark.parametrize(
    "text",
    [
        f"GET https://api.example/x?q=1&k={KEY}",
        "GET https://api.example/x?k=k3y-that-is-mine%2F%2B%3D",
        f"{{'header': '{KEY}'}}",
        "the password was hunter2, said the log",
    ],
)
def test_known_values_are_found_as_they_are_and_as_urls_write_them(text):
    shown = redact(text, environ=ENVIRON)
    assert "[redacted]" in shown
    assert "k3y" not in shown
    assert "hunter2" not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abcdef123", "Authorization: Bearer [redacted]"),
        ('{"authorization": "Basic dXNlcg=="}', '{"authorization": "Basic [redacted]"}'),
        ("Authorization: abcdef123", "Authorization: [redacted]"),
        ("x-goog-api-key: abc", "x-goog-api-key: [redacted]"),
        ("config: {'api_key': 'abc', 'n': 3}", "config: {'api_key': '[redacted]', 'n': 3}"),
        (r"{\"openai_api_key\": \"abc\"}", r"{\"openai_api_key\": \"[redacted]\"}"),
        ("--hf-token=abc1 --n 3", "--hf-token=[redacted] --n 3"),
        ("https://me:pass@example.org/x", "https://me:[redacted]@example.org/x"),
        ("sk-proj-abcDEF12345678901234 was refused", "[redacted] was refused"),
        ("hf_abcdefABCDEF123456", "[redacted]"),
        ("?key=AIzaSyA1234567890abcdefghijklmnopqrstuv&x=1", "?key=[redacted]&x=1"),
        ("a -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- b", "a [redacted] b"),
    ],
)
def test_what_is_written_like_a_secret_needs_no_variable(text, shown):
    assert redact(text, environ={}) == shown


@pytest.mark.parametrize(
    "text",
    [
        "sk-learn is a library",
        "unexpected token: Rome",
        "max_tokens=4096, tokens: 12",
        "api_key is not set; api_key=None",
        "key topics.0.use: unknown topic",
        "tokenizer_hash: 0123456789abcdef",
        "https://example.org:8080/a?key=capitals",
        "languages/tr.toml, line 3: the key word is wrong",
        "हिन्दी: कुंजी = मान",
        "",
    ],
)
def test_ordinary_text_comes_back_as_it_was(text):
    assert redact(text, environ=ENVIRON) == text


def test_variables_that_hold_ordinary_words_are_no_secrets():
    environ = {
        "TOKENIZERS_PARALLELISM": "truthful-value",
        "GITHUB_TOKEN": "abcdef123",
        "PUBLIC_KEY": "public",
        "MAX_TOKEN": "100000",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG",
        "A_TOKEN": "x1",
        "OPENAI_API_KEY_2": "secret-number-2",
    }
    assert secret_values(environ) == ["wJalrXUtnFEMI/K7MDENG", "secret-number-2", "abcdef123"]
    assert redact("public 100000 x1 truthful-value", environ=environ) == "public 100000 x1 truthful-value"


@pytest.mark.parametrize("name", ["SMTP_PASS", "DB_PWD", "SLACK_WEBHOOK_URL", "SERVICE_JWT", "SESSION_COOKIE"])
def test_other_names_of_secrets(name):
    assert secret_values({name: "abcdef123", "PWD": "/home/a1", "OLDPWD": "/home/b1", "COMPASS": "n0rthwest"}) == [
        "abcdef123"
    ]


def test_a_value_that_begins_like_another_is_wholly_hidden():
    environ = {"A_TOKEN": "abc123", "B_TOKEN": "abc123456"}
    assert redact("abc123456 abc123", environ=environ) == "[redacted] [redacted]"


def test_the_command_line_shows_none(monkeypatch, capsys):
    monkeypatch.setenv("SOME_API_KEY", KEY)
    assert KEY not in fail_line(PolyfactError(f"refused: {KEY}"))
    assert KEY not in fail_line(RuntimeError(f"refused: {KEY}"))
    try:
        raise RuntimeError(f"refused: {KEY}")
    except RuntimeError as error:
        explain(error, debug=True)
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert KEY not in shown


def test_a_score_row_and_a_card_store_none(monkeypatch, tmp_path):
    from polyfact import release
    from polyfact.evaluators._data import load
    from polyfact.evaluators._evaluate import _score
    from tests.support.benchmark import write_benchmark
    from tests.support.items_fixture import write_workspace

    class Refused:
        name = "x"

        def score(self, item, candidates):
            raise RuntimeError(f"401 for {KEY}")

    monkeypatch.setenv("SOME_API_KEY", KEY)
    benchmark = load(write_benchmark(tmp_path / "b"))
    assert _score(benchmark.items[0], benchmark, Refused()).error == "RuntimeError: 401 for [redacted]"
    languages, topics = write_workspace(tmp_path / "w")
    made = release.build(
        tmp_path / "w",
        version="1.0.0",
        name="x",
        licence="CC0-1.0",
        unaudited=True,
        contact=f"https://example.org/?k={KEY}",
        languages_used=languages,
        topics_used=topics,
    )
    assert KEY not in (made.folder / "README.md").read_text(encoding="utf-8")
    assert release.verify(made.folder) == []
