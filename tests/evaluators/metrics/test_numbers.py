"""Numbers: read exactly, compared by value, found in text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyfact import languages
from polyfact.evaluators.metrics import UNSCORABLE, Scored, final_number, numbers_equal, parse_quantity

SCALES = {"million": 1_000_000, "लाख": 100_000}


@pytest.mark.parametrize(
    ("gold", "answer", "value"),
    [
        ("1000", "1,000", 1.0),
        ("1000", "1000.0", 1.0),
        ("1000", "1 000", 1.0),
        ("1000", "1\u202f000", 1.0),
        ("1000", r"1\,000", 1.0),
        ("1000", "1{,}000", 1.0),
        ("150", "15", 0.0),
        ("100", "1", 0.0),
        ("0.1", "0.10", 1.0),
        ("0.1", "0.1000000000000000000000000000000001", 0.0),
        ("9007199254740993", "9007199254740992", 0.0),
        ("-5", "5", 0.0),
        ("-5", "−5", 1.0),
        ("-5", "–5", 1.0),
        ("-5", "-$5", 1.0),
        ("0", "-0.0", 1.0),
        ("5", "+5", 1.0),
        ("0.5", ".5", 1.0),
        ("5", "५", 1.0),
        ("5", "૫.", 1.0),
        ("5", "**५**।", 1.0),
        ("0.5", r"\frac{1}{2}", 1.0),
        (r"\frac12", "1/2", 1.0),
        (r"\dfrac{3}{4}", "0.75", 1.0),
        (r"-\frac{1}{2}", r"\frac{-1}{2}", 1.0),
        ("1/2", "2/1", 0.0),
        ("1/3", "0.333333", 0.0),
        ("2/6", "1/3", 1.0),
        ("2.5", r"2\frac{1}{2}", 1.0),
        ("-2.5", "-2 1/2", 1.0),
        ("2.5", "2½", 1.0),
        ("0.5", "½", 1.0),
        ("72", r"$72$", 1.0),
        ("72", r"$$\boxed{72}$$", 1.0),
        ("0.75", r"So \boxed{\frac{3}{4}}, as 3 < 4", 1.0),
        ("5", "x = 5", 1.0),
        ("5", "2 + 3 = 5.", 1.0),
        ("100", "10²", 1.0),
        ("102", "10²", 0.0),
        ("200000", r"2 \times 10^{5}", 1.0),
        ("0.002", "2×10^-3", 1.0),
        ("1200", "1.2e3", 1.0),
        ("5", "5x", 0.0),
        ("5", r"5\pi", 0.0),
        ("5", "5 or 6", 0.0),
        ("5", "not 5", 0.0),
        ("5", "five", 0.0),
        ("5", None, 0.0),
        (5, "5.0", 1.0),
        (0.1, "1/10", 1.0),
    ],
)
def test_values_are_compared(gold, answer, value):
    assert numbers_equal(answer, gold).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,00,000", 100_000),
        ("१,००,०००", 100_000),
        ("12,50,000", 1_250_000),
        ("૧,૨૩,૪૫,૬૭૮.૯", Fraction(123456789, 10)),
        ("1,00,00,00,000", 1_000_000_000),
        ("1,234,567", 1_234_567),
        ("-1,00,000", -100_000),
        ("₹1,00,000/-", 100_000),
        ("1,00,00", None),
        ("1,0,000", None),
        ("1,000,00", None),
        ("1,00,000,000", None),
        ("1,000,00,000", None),
        ("1234,567", None),
        ("0,123", None),
        ("01,23,456", None),
        ("1,2", None),
        (",5", None),
        ("1.2.3", None),
        ("1.234,5", None),
        ("1,,000", None),
    ],
)
def test_grouping_by_two_and_by_three_and_no_other(text, value):
    found = parse_quantity(text)
    assert (None if found is None else found.value) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.234,5", Fraction(12345, 10)),
        ("3,5", Fraction(7, 2)),
        ("1,000", 1),
        ("1.000", 1000),
        ("1.000.000", 1_000_000),
        ("3.5", Fraction(7, 2)),
        ("1000.0", 1000),
        ("1,234.5", Fraction(12345, 10)),
        ("1.00,00", None),
        ("1,2,3", None),
    ],
)
def test_languages_with_a_decimal_comma(text, value):
    found = parse_quantity(text, decimal=",")
    assert (None if found is None else found.value) == value


@pytest.mark.parametrize(
    ("gold", "answer", "value"),
    [
        ("5", "5 km", 1.0),
        ("5 km", "5", 1.0),
        ("5 km", "5km", 1.0),
        ("5 km", "5 m", 0.0),
        ("5 m²", "5 m^2", 1.0),
        ("5 m²", "5 m", 0.0),
        ("$5", "€5", 0.0),
        ("500", "₹ 500", 1.0),
        ("500", "Rs. 500", 1.0),
        ("500", "रु.500", 1.0),
        ("500 रुपये", "₹500", 1.0),
        ("5", r"5\text{ cm}", 1.0),
        ("90", r"90^\circ", 1.0),
        ("50", "50%", 1.0),
        ("0.5", r"50\%", 1.0),
        ("50%", "0.5", 1.0),
        ("50%", "5%", 0.0),
        ("20", "20वीं", 1.0),
        ("5000000", "5 million", 1.0),
        ("5", "5 million", 0.0),
        ("500000", "५ लाख रुपये", 1.0),
        ("5", "5 apples in the basket now", 0.0),
    ],
)
def test_units(gold, answer, value):
    assert numbers_equal(answer, gold, scales=SCALES).value == value


def test_what_is_no_number_is_flagged():
    assert numbers_equal("1,00,00", "10000") == Scored(0.0, flags=("not-a-number",))
    assert numbers_equal("1/0", "5").flags == ("not-a-number",)
    for gold, flag in ((None, "null-gold"), ("", "empty-gold"), (" ** ", "empty-gold"), (float("nan"), "null-gold")):
        assert numbers_equal("5", gold) == Scored(None, UNSCORABLE, (flag,))
    root = r"\sqrt{2}"
    assert numbers_equal(f"${root}$", root) == Scored(1.0, flags=("gold-not-a-number",))
    assert numbers_equal("2", root) == Scored(0.0, flags=("gold-not-a-number",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The answer is 72, in total, so that is all.", "72"),
        ("Answer: -5.", "-5"),
        ("उत्तर: १२", "12"),
        ("उत्तर१२", "12"),
        ("उत्तर -१२।", "-12"),
        ("दिल्ली-5", "5"),
        ("no idea, sorry,", None),
        ("", None),
        (None, None),
        (7, "7"),
        ("**1,234.50**", "1234.50"),
        ("कुल ₹१,००,००० है।", "100000"),
        ("It is 1,00,00", None),
        ("5, no, 1,00,00", None),
        ("x = 5 - 3", "3"),
        ("5-3", "3"),
        ("from 10–15", "15"),
        ("x = - 5", "-5"),
        ("$-5$", "-5"),
        ("-$5", "-5"),
        ("(−7)", "-7"),
        (r"so \boxed{\frac{3}{4}}, see line 7", "3/4"),
        (r"\boxed{12} or rather \boxed{1{,}300}", "1300"),
        (r"\boxed{?} 8", "8"),
        ("3/4 of it", "3/4"),
        ("on 12/05/1947", "1947"),
        ("1 1/2 cups", "1.5"),
        ("2⅓", "7/3"),
        ("1/-2", "-1/2"),
        ("-1.5/3", "-1/2"),
        ("2/4", "2/4"),
        ("about .5", "0.5"),
        ("Rs.500", "500"),
        ("रु.500 मात्र", "500"),
        ("H2O", None),
        ("5km away", "5"),
        ("10²", "100"),
        ("2 × 10^-3", "0.002"),
        ("1.5.2", None),
        ("3.", "3"),
        ("5 million people", "5000000"),
        ("9" * 5000, None),
        ("99999999999999^400", None),
        ("2^999999999999", None),
    ],
)
def test_final_number(text, expected):
    assert final_number(text, scales=SCALES) == expected


def test_final_number_with_a_decimal_comma():
    assert final_number("In tutto 1.234,50 euro.", decimal=",") == "1234.50"
    assert final_number("x = 3.5", decimal=",") == "3.5"


def test_language_files_say_how_numbers_are_written():
    for code in ("it", "tr"):
        spoken = languages.load(code)
        assert numbers_equal("3,5", "3.5", decimal=spoken.decimal, scales=spoken.scales).value == 1.0
    assert numbers_equal("५ लाख", "500000", scales=languages.load("hi").scales).value == 1.0


def grouped(number, sizes, mark):
    digits, parts = str(abs(number)), []
    for size in sizes:
        if len(digits) <= size:
            break
        digits, part = digits[:-size], digits[-size:]
        parts.append(part)
    return ("-" if number < 0 else "") + mark.join([digits, *reversed(parts)])


numbers = st.integers(-(10**15), 10**15)


@given(number=numbers, decimals=st.text("0123456789", max_size=6), zero=st.sampled_from("0०૦୦"))
def test_every_way_to_write_a_number_is_the_same_number(number, decimals, zero):
    tail = f".{decimals}" if decimals else ""
    value = Fraction(f"{number}{tail}")
    for text in (str(number), grouped(number, [3] * 9, ","), grouped(number, [3] + [2] * 9, ",")):
        native = "".join(chr(ord(zero) + int(c)) if c.isdecimal() else c for c in text + tail)
        for written in (native, native.replace("-", "−")):
            assert parse_quantity(written).value == value
            assert Fraction(final_number(f"x: {written}.")) == value
    comma = grouped(number, [3] * 9, ".") + tail.replace(".", ",")
    assert parse_quantity(comma, decimal=",").value == value


@given(top=numbers, bottom=st.integers(1, 10**6))
def test_fractions_are_exact(top, bottom):
    for text in (rf"\frac{{{top}}}{{{bottom}}}", f"{top}/{bottom}"):
        assert parse_quantity(text).value == Fraction(top, bottom)
    assert numbers_equal(f"{top}/{bottom}", f"{top * 3}/{bottom * 3}").value == 1.0
    assert numbers_equal(f"{top}/{bottom}", f"{top * bottom + 1}/{bottom * bottom}").value == 0.0 or bottom == 1


@given(text=st.one_of(st.text(max_size=60), st.text("0123५²½.,/-+^eE×{}\\$%=() \u202fabfrcoxd", max_size=60)))
def test_any_text_can_be_read(text):
    for decimal in ".,":
        found = final_number(text, decimal=decimal)
        assert found is None or Fraction(found) is not None
        parse_quantity(text, decimal=decimal)
        assert numbers_equal(text, "1", decimal=decimal).value in (0.0, 1.0)
