"""The one normaliser: what becomes equal, what stays apart, and what may never be lost."""

import unicodedata
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyfact import languages
from polyfact.errors import UsageError

HEAD = 'code = "{0}"\nname = "{0}"\nenglish_name = "{0}"\nscript = "{1}"\n'
TURKISH = '[case]\nupper = { "i" = "İ", "ı" = "I" }\nlower = { "İ" = "i", "I" = "ı" }\n'
SUFFIXES = '[normalise]\nsuffixes = ["dır", "dir", "tür", "da", "nin"]\nconjunctions = ["ve", "VE"]\n'
DOT = "\u0307"
APOSTROPHES = "'’‘‛‹›`´＇"


@pytest.fixture(scope="session")
def language(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")

    def load(code, script="Latn", rules=""):
        path = folder / f"{code}.toml"
        path.write_text(HEAD.format(code, script) + rules, encoding="utf-8")
        return languages.load_file(path)

    return load


def every_language():
    """All packaged languages, and three made here: joiners kept, kept after some letters only, Turkish."""
    from polyfact.languages._file import LanguageFile

    def made(code, **parts):
        data = {"code": code, "name": code, "english_name": code, "script": "Latn", **parts}
        return languages.Language(LanguageFile.model_validate(data), sha256="", source=code)

    kept = {"joiners": "keep"}
    case = {"lower": {"İ": "i", "I": "ı"}, "upper": {"i": "İ", "ı": "I"}}
    return [
        *map(languages.load, languages.available()),
        made("xk", normalise=kept),
        made("xa", normalise={**kept, "joiners_after": ["र्"]}),
        made("xt", case=case, normalise={"suffixes": ["dır", "da", "nin"]}),
    ]


ALL = every_language()
each_language = pytest.mark.parametrize("spoken", ALL, ids=[spoken.code for spoken in ALL])
awkward = st.text(
    alphabet="aAbıIiİşŞ5५૭²½र्या़ऱक"
    "\u0307\u0323\u0301\u0345ʼŉßςΣ'’\"“.-−–#%()[]{}।,!* \n\u00a0\u200b\u200c\u200d\u00ad\u2067\ufeff",
    max_size=16,
)
texts = st.one_of(st.text(max_size=30), awkward)


def kept(text):
    """How often each letter, mark and decimal digit (categories L, M, Nd) stands in a text, taken apart."""
    apart = unicodedata.normalize("NFD", text)
    return Counter(c for c in apart if unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd")


def converted(spoken, text):
    """The text with case and digits converted one by one, and nothing else done to it but the two exceptions."""
    text = "".join(c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c) != "Cf")
    lower = spoken.file.case.lower
    text = "".join(lower.get(c, c.casefold()) for c in unicodedata.normalize("NFC", text))
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    for letter in ("i", "\u1ecb", "\u012f"):
        while letter + DOT in unicodedata.normalize("NFC", text):
            text = unicodedata.normalize("NFC", text).replace(letter + DOT, letter)
    return unicodedata.normalize("NFC", text)


# What holds for every language


@each_language
@given(text=texts)
@example(text="--5")
@example(text="..in")
@example(text="A'dır’dır")
@example(text="(a) (b)")
@example(text="r\u200dİ" + DOT)
def test_applying_it_twice_changes_nothing_more(spoken, text):
    once = spoken.normalise(text)
    assert spoken.normalise(once) == once


@each_language
@given(text=texts)
def test_result_is_nfc_trimmed_and_without_a_dot_on_an_i(spoken, text):
    found = spoken.normalise(text)
    assert unicodedata.is_normalized("NFC", found)
    assert found == found.strip() and "  " not in found
    assert "i" + DOT not in unicodedata.normalize("NFC", found)
    assert not any(c.isdecimal() and not c.isascii() for c in found)


@each_language
@given(text=texts)
def test_both_encodings_of_a_text_agree(spoken, text):
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert spoken.normalise(composed) == spoken.normalise(decomposed) == spoken.normalise(text)


@each_language
@given(text=texts)
@example(text="हिन्दी।")
@example(text="ଓଡ଼ିଶା।")
@example(text="ʼa")
def test_no_letter_mark_or_digit_is_lost(spoken, text):
    """Precisely: categories L, M and Nd, after case and digit conversion, but for U+02BC between letters.

    A listed suffix needs a mark before it, so texts with an apostrophe or quotation mark have a test of their own.
    """
    if spoken.file.normalise.suffixes:
        text = "".join(c for c in text if c not in APOSTROPHES + '"“”„‟«»＂〝〞〟‚ʼŉ')
    expected, found = kept(converted(spoken, text)), kept(spoken.normalise(text))
    lost = expected - found
    assert set(lost) <= {"\u02bc"}
    assert found - expected == Counter()


@each_language
@given(text=texts)
def test_only_a_listed_suffix_after_an_apostrophe_is_lost(spoken, text):
    plain = languages.Language(
        spoken.file.model_copy(update={"normalise": spoken.file.normalise.model_copy(update={"suffixes": []})}),
        sha256="",
        source="",
    )
    rest, found = plain.normalise(text), spoken.normalise(text)
    suffixes = [plain.normalise(suffix) for suffix in spoken.file.normalise.suffixes]
    while rest != found:
        suffix = next(suffix for suffix in suffixes if rest.endswith(("'" + suffix, '"' + suffix)))
        rest = plain.normalise(rest[: -len(suffix) - 1])
    assert rest == found


@each_language
@given(text=st.text(max_size=20))
def test_capitals_and_small_letters_of_the_language_agree(spoken, text):
    text = "".join(c for c in text if spoken.lower(spoken.upper(c)) == spoken.lower(c) == spoken.lower(spoken.lower(c)))
    assert spoken.normalise(spoken.upper(text)) == spoken.normalise(text) == spoken.normalise(spoken.lower(text))


def test_every_character_alone_is_stable_and_none_that_counts_is_lost():
    english, turkish = languages.load("en"), languages.load("tr")
    for code in range(0x110000):
        character = chr(code)
        category = unicodedata.category(character)
        if category in ("Cn", "Co", "Cs"):
            continue
        found = english.normalise(character)
        assert english.normalise(found) == found
        assert turkish.normalise(turkish.normalise(character)) == turkish.normalise(character)
        if category[0] in "LM" or category == "Nd":
            assert found, hex(code)
        if category == "No":
            assert not any(c.isdecimal() for c in found), hex(code)


# Cases of what is the same and what is not


@pytest.mark.parametrize(
    ("code", "left", "right", "same"),
    [
        ("tr", "DİYARBAKIR", "Diyarbakır", True),
        ("tr", "ISPARTA", "ısparta", True),
        ("tr", "SIK", "sik", False),
        ("tr", "İ" + "zmir", "I" + DOT + "zmir", True),
        ("tr", "i" + DOT + "zmir", "İzmir", True),
        ("en", "İzmir", "izmir", True),
        ("en", "TITANIC", "titanic", True),
        ("en", "STRASSE", "Straße", True),
        ("en", "ΟΔΟΣ", "οδος", True),
        ("hi", "क़लम", "क\u093cलम", True),
        ("hi", "दुःख", "दुख", False),
        ("hi", "पानी", "पुना", False),
        ("hi", "नई दिल्ली ॥", "नई\u00a0 दिल्ली।", True),
        ("hi", "\u200bदिल्ली\ufeff", "दिल्ली", True),
        ("hi", "क्\u200dया", "क्या", True),
        ("hi", "२०२४", "2024", True),
        ("hi", "२०२४", "२०२५", False),
        ("en", "10²", "102", False),
        ("en", "x₂", "x2", False),
        ("en", "−5", "-5", True),
        ("en", "-5", "5", False),
        ("en", "50%", "50", False),
        ("en", "Côte d’Ivoire", "côte d'ivoire", True),
        ("en", "Xi\u02bcan", "Xi'an", True),
        ("en", "“Delhi”", "delhi", True),
        ("en", "co\u00adoperate", "cooperate", True),
        ("en", "UTC−05:00", "UTC-05:00", True),
        ("en", ".in", "in", False),
        ("en", "C#", "C", False),
        ("en", "C++", "C", False),
        ("en", "O−", "O+", False),
        ("it", "Vitamina A", "Vitamina", False),
        ("en", "Chadwick", "Chad", False),
        ("en", "São Paulo", "Sao Paulo", False),
    ],
)
def test_pairs(code, left, right, same):
    spoken = languages.load(code)
    assert (spoken.normalise(left) == spoken.normalise(right)) is same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".in.", ".in"), ("‘.in’", ".in"), (".भारत", ".भारत"), ("...in", "in"), ("…in", "in"), (".5", ".5"),
        ("3.5.", "3.5"),
        ("-.5", "-.5"), ("-½", "-½"), ("-$5", "-$5"), ("- 5", "5"), ("--5", "5"), ("-5-", "-5"), ("-> a", "> a"),
        ("UTC+05:30", "utc+05:30"), ("+05:30", "+05:30"), ("C++.", "c++"), ("C#", "c#"), ("# a", "a"), ("10²", "10²"),
        ("**1,234.50**", "1,234.50"), ("(a).", "a"), ("a (b)", "a (b)"), ("(a) b", "(a) b"), ("a) b", "a) b"),
        ("((a)", "a"),
        ("(a)(b)", "(a)(b)"), ("f(x)", "f(x)"), ("[(a)]", "a"), ("(NH4)2SO4", "(nh4)2so4"), ("Na+", "na+"),
        ("Cl−", "cl-"),
        ("Delhi-", "delhi"), ("50%.", "50%"), ("5′", "5′"), ("25 °C", "25 °c"), ("¿a?", "a"), ("_a_", "a"), ("`a`", "a"),
        ("a\u2003\n b", "a b"), ("...", ""), ("—", ""), ("", ""), (" \u200b ", ""), ("1", "1"), ("𝟙", "1"),
        ("！１！", "1"),
    ],
)  # fmt: skip
def test_edges_keep_what_a_symbol_needs(text, expected):
    assert languages.load("en").normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fransızca’dır", "fransızca"), ("FRANSIZCA'DIR.", "fransızca"), ("“Fransızca”dır", "fransızca"),
        ("Apple Inc.’dir", "apple ınc"), ("1923'tür", "1923"), ("Xi'an'dır", "xi'an"), ("Ankara’da’dır", "ankara"),
        ("Xi'an", "xi'an"), ("N'Djamena", "n'djamena"), ("Fransızcadır", "fransızcadır"), ("'dır", "dır"),
        ("Fransızca'dır mı", "fransızca'dır mı"), ("Fransızca'lar", "fransızca'lar"), ("Fransızca\u02bcdır", "fransızca"),
    ],
)  # fmt: skip
def test_a_listed_suffix_goes_after_an_apostrophe_at_the_end(language, text, expected):
    assert language("xt", rules=SUFFIXES + TURKISH).normalise(text) == expected


def test_without_a_table_no_suffix_goes_and_no_joiner_stays(language):
    plain = language("xx")
    assert plain.normalise("Fransızca’dır") == "fransızca'dır"
    assert plain.normalise("र्\u200dया") == "र्या"
    assert (plain.conjunctions, plain.decimal, plain.scales) == ((), ".", {})


def test_joiners_are_kept_where_they_tell_words_apart(language):
    marathi = language("mr", "Deva", '[normalise]\njoiners = "keep"\n')
    assert marathi.normalise("दर्\u200dया") == "दर्\u200dया" != marathi.normalise("दर्या")
    for nothing in ("\u200dदर्या", "दर्या\u200d", "दर्\u200d या", "दर्या\u200d।", "द\u200dर्या"):
        assert marathi.normalise(nothing.replace("\u200d ", " ")) == marathi.normalise(nothing)
        assert "\u200d" not in marathi.normalise(nothing)
    persian = language("fa", "Arab", '[normalise]\njoiners = "keep"\n')
    assert persian.normalise("می\u200cخواهم\u200c.") == "می\u200cخواهم"


def test_joiners_are_kept_only_after_what_the_file_lists(language):
    rules = '[normalise]\njoiners = "keep"\njoiners_after = ["र्"]\n'
    marathi = language("mr", "Deva", rules)
    assert marathi.normalise("दर्\u200dया") != marathi.normalise("दर्या")
    assert marathi.normalise("विद्\u200cयालय") == marathi.normalise("विद्\u200dयालय") == marathi.normalise("विद्यालय")


def test_words_of_the_table_are_normalised(language):
    spoken = language("xt", rules=SUFFIXES + 'scales = { "MİLYON" = 1000000 }\ndecimal = ","\n' + TURKISH)
    assert spoken.conjunctions == ("ve",)
    assert (spoken.scales, spoken.decimal) == ({"milyon": 1_000_000}, ",")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ('joiners_after = ["र्"]', 'joiners_after needs joiners = "keep"'),
        ('suffixes = ["\'"]', "is not one word"),
        ('conjunctions = ["as well as"]', "is not one word"),
        ("scales = { x = 1 }", "2"),
        ('decimal = ";"', "decimal"),
        ('joiners = "some"', "joiners"),
        ('suffix = ["a"]', "suffix"),
    ],
)
def test_faulty_tables_are_refused(language, rules, message):
    with pytest.raises(UsageError, match=message):
        language("xx", rules=f"[normalise]\n{rules}\n")


def test_long_edges_take_no_long_time():
    english = languages.load("en")
    for text in (
        "(" * 100_000,
        ")" * 100_000,
        "." * 100_000 + "a",
        "a" + "-" * 100_000,
        "()" * 50_000,
        "\u200d" * 100_000,
    ):
        assert len(english.normalise(text)) <= len(text)
