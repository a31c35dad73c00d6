"""Numbers in answers: read as exact fractions, compared by value, found in running text. No floats."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from polyfact.evaluators.metrics._notation import bare, boxed, plain
from polyfact.evaluators.metrics.exact_match import UNSCORABLE, Answer, canonical_text
from polyfact.evaluators.metrics.scored import Scored

__all__ = ["Quantity", "final_number", "numbers_equal", "parse_quantity"]

_MAX_TEXT = 2000
_MAX_EXPONENT = 400
_NO_SCALES: Mapping[str, int] = {}

_PLAIN_GROUPS = re.compile(r"(\W*)([1-9]\d{0,2}(?: \d{3})+)((?:[.,]\d+)?\W*)")
_NUMERAL = r"\d+(?:[.,]\d+)*"
_SIGN = r"[-+]"
_CORE = rf"""(?:
    (?<!\d/)(?:(?P<whole>\d+)\s+)?(?P<top>{_NUMERAL})\s*/\s*(?P<bottom>{_SIGN}?{_NUMERAL})(?![\d/])
  | (?P<number>{_NUMERAL}|\.\d+)
    (?: \s*[×x*·]\s*10\s*\^\s*(?:\{{\s*(?P<ten>{_SIGN}?\d+)\s*\}}|(?P<ten_>{_SIGN}?\d+))
      | [eE](?P<e>{_SIGN}?\d+)(?!\w)
      | \s*\^\s*(?:\{{\s*(?P<power>{_SIGN}?\d+)\s*\}}|(?P<power_>{_SIGN}?\d+)) )?
)"""
_CURRENCY = r"(?:[$€£¥₹₺₨₽৳]|[^\W\d_][^\d\s.,;:()=+*/-]{0,2}\.|Rs\b|[A-Z]{3}\b)"
_WHOLE = re.compile(
    rf"(?P<sign>{_SIGN}?)\s*(?P<currency>{_CURRENCY}?)\s*(?P<inner>{_SIGN}?)\s*{_CORE}(?P<unit>.*)",
    re.VERBOSE | re.DOTALL,
)
_FOUND = re.compile(rf"(?P<sign>(?:(?<![)\]}}]){_SIGN}{_CURRENCY}?)?)(?<![A-Za-z\d])(?<!\d[.,]){_CORE}", re.VERBOSE)
_WORKED_OUT = ("whole", "power", "power_", "ten", "ten_", "e")
_AFTER_EQUALS = re.compile(r"=\s*-\s*(?=\d)")
_WORD = re.compile(r"\s*([^\W\d_][^\s\d.,;:!?]*)")
_UNIT = re.compile(r"[^\W\d_][^\d+=<>≤≥≈\\{}()]*(?:\^\{?-?\d\}?)?|[%‰°′″€£¥₹₺$][^\W\d_]?")
_SYMBOL_LIST = """
    % ‰ ° ′ ″ °c °f k m km cm mm dm µm nm g kg mg t l ml cl s h min ms m² km² cm² mm² m³ cm³ km/h m/s hz khz mhz ghz
    v w kw mw a n j kj pa bar ha $ € £ ¥ ₹ ₺
"""
_SYMBOLS = frozenset(_SYMBOL_LIST.split())  # in folded case; different ones are different units
_ATTACHED_LIST = "am pm st nd rd th hrs sec mph lbs kwh usd eur inr rs tl"
_ATTACHED = frozenset(_ATTACHED_LIST.split())  # written to a number without a space, as symbols are


class Quantity(NamedTuple):
    """A number with the unit written to it; unit: "" if none, in folded case, the currency if one stands before."""

    value: Fraction
    unit: str


def parse_quantity(text: str, *, decimal: str = ".", scales: Mapping[str, int] = _NO_SCALES) -> Quantity | None:
    r"""The number that ``text`` is, as a whole; None if it is none.

    decimal: the language's mark before decimals, the other one of "." and "," groups: 1,234,567 or 12,34,567.
    A group of a wrong length is no number, nor is a text with two numbers. Where decimal is "," a point that
    cannot group ("3.5") is read as the decimal point of mathematics. scales: `Language.scales`.
    Read are digits of every script, signs, fractions ("1/2", "\frac12", "½", mixed), powers and powers of ten,
    layout in LaTeX and Markdown, \boxed, the right side of a last "=", and one unit of up to three words.

    >>> parse_quantity(r"\frac{1}{2}"), parse_quantity("१,००,००० रुपये")
    (Quantity(value=Fraction(1, 2), unit=''), Quantity(value=Fraction(100000, 1), unit='रुपये'))
    """
    if len(text) > _MAX_TEXT:
        return None
    text = plain((boxed(text) or text).rpartition("=")[2])
    grouped = _PLAIN_GROUPS.fullmatch(text)
    if grouped:
        text = grouped[1] + grouped[2].replace(" ", "") + grouped[3]
    text = bare(text)
    match = _WHOLE.fullmatch(text)
    if not match or (match["sign"] and match["inner"]):
        return None
    value = _value(match, decimal)
    unit = _unit(match["unit"], scales)
    if value is None or unit is None:
        return None
    name, factor = unit
    value *= -factor if "-" in (match["sign"], match["inner"]) else factor
    return Quantity(value, name or match["currency"].casefold())


def numbers_equal(answer: Answer, gold: Answer, *, decimal: str = ".", scales: Mapping[str, int] = _NO_SCALES) -> Scored:
    r"""1 if ``answer`` and ``gold`` are the same number, exactly and as `parse_quantity` reads them, else 0.

    A unit may be missing on one side; two different symbols of units (km, m) are not equal, unit words are not
    judged. "50%" is 50 per cent and 1/2. An answer that is no number is wrong, flagged "not-a-number". Where
    the gold is none (an expression), equal texts without layout are right, flagged "gold-not-a-number".
    Undefined ("unscorable") for a null or blank gold.

    >>> numbers_equal("1,000", "1000").value, numbers_equal("1,00,00", "100000").value
    (1.0, 0.0)
    """
    wanted, found = canonical_text(gold), canonical_text(answer) or ""
    if wanted is None or not bare(wanted):
        return Scored(None, UNSCORABLE, ("null-gold" if wanted is None else "empty-gold",))
    right = parse_quantity(wanted, decimal=decimal, scales=scales)
    if right is None:
        same = _expression(found) == _expression(wanted)
        return Scored(float(same), flags=("gold-not-a-number",))
    given = parse_quantity(found, decimal=decimal, scales=scales)
    if given is None:
        return Scored(0.0, flags=("not-a-number",))
    return Scored(float(_same(given, right)))


def final_number(text: Answer, *, decimal: str = ".", scales: Mapping[str, int] = _NO_SCALES) -> str | None:
    r"""The last number in ``text``, in ASCII digits without grouping and with "." for decimals; None if none.

    The content of a last \boxed goes first. A sign belongs to the number unless it stands between two
    operands ("5-3") or apart from the number; digits inside a word ("H2O") are none. A fraction stays one
    ("3/4"), a power is worked out. A last number that is badly grouped, and so cannot be read, gives None
    rather than the one before it.

    >>> final_number("So we get 1,234.50 in all."), final_number("no idea, sorry,")
    ('1234.50', None)
    """
    content = canonical_text(text) or ""
    answer = boxed(content)
    if answer is not None and (number := final_number(answer, decimal=decimal, scales=scales)) is not None:
        return number
    running = _AFTER_EQUALS.sub("=-", plain(content))
    found = _last(running)
    if found is None or len(found[0]) > _MAX_TEXT:
        return None
    value = _value(found, decimal)
    if value is None:
        return None
    word = _WORD.match(running, found.end())
    factor = scales.get(word[1].casefold(), 1) if word else 1
    sign = "-" if "-" in found["sign"] and not _is_word(running, found.start() - 1) else ""
    if factor > 1 or any(found[part] for part in _WORKED_OUT):
        return _written((-value if sign else value) * factor)
    if found["top"]:
        as_written = found["top"].isdecimal() and found["bottom"].isdecimal()
        return f"{sign}{found['top']}/{found['bottom']}" if as_written else str(-value if sign else value)
    digits = _digits(found["number"], decimal) or ""
    return sign + ("0" + digits if digits.startswith(".") else digits)


def _last(text: str) -> re.Match[str] | None:
    """The last number of a text; a point between a word and a number ("रु.500") does not begin one."""
    last = None
    for match in _FOUND.finditer(text):
        last = match
    if last and last[0].startswith(".") and _is_word(text, last.start() - 1):
        return _FOUND.match(text, last.start() + 1)
    return last


def _is_word(text: str, place: int) -> bool:
    return place >= 0 and unicodedata.category(text[place])[0] in "LMN"


def _value(match: re.Match[str], decimal: str) -> Fraction | None:
    """The unsigned number in a match of _CORE."""
    if match["top"] is not None:
        bottom = match["bottom"].lstrip("+-")
        top, below = _numeral(match["top"], decimal), _numeral(bottom, decimal)
        if top is None or not below:
            return None
        value = top / below + int(match["whole"] or 0)
        return -value if match["bottom"].startswith("-") else value
    number = _numeral(match["number"], decimal)
    ten, power = match["ten"] or match["ten_"] or match["e"], match["power"] or match["power_"]
    exponent = int(ten or power or 0)
    if number is None or abs(exponent) > _MAX_EXPONENT or (power and number == 0 and exponent <= 0):
        return None
    if ten:
        return number * Fraction(10) ** exponent
    if power and len(match["number"]) * abs(exponent) > _MAX_TEXT:
        return None
    return number**exponent if power else number


def _numeral(text: str, decimal: str) -> Fraction | None:
    digits = _digits(text, decimal)
    return None if digits is None else Fraction(digits)


def _digits(text: str, decimal: str) -> str | None:
    """A numeral without grouping and with "." before its decimals; None if it is badly grouped."""
    group = "," if decimal == "." else "."
    whole, mark, rest = text.partition(decimal)
    if rest.isdecimal() == bool(mark) and (not whole or whole.isdecimal() or _is_grouped(whole, group)):
        return whole.replace(group, "") + ("." + rest if mark else "")
    return _digits(text, ".") if decimal == "," else None


def _is_grouped(whole: str, group: str) -> bool:
    first, *groups = whole.split(group)
    if not first.isdecimal() or first.startswith("0") or len(groups[-1]) != 3:
        return False
    sizes = {len(part) for part in groups[:-1]}
    return (len(first) <= 3 and sizes <= {3}) or (len(first) <= 2 and sizes == {2})


def _unit(text: str, scales: Mapping[str, int]) -> tuple[str, int] | None:
    """The unit and the factor that ``text``, what follows a number, stands for; None if it is something else."""
    words, factor = text.split(), 1
    while words and (scale := scales.get(words[0].casefold())):
        factor *= scale
        words = words[1:]
    unit = " ".join(words).casefold()
    if not unit:
        return "", factor
    if len(words) > 3 or not _UNIT.fullmatch(unit):
        return None
    short = unit.isascii() and unit.isalpha() and len(unit) < (2 if text[0].isspace() else 4)
    if short and unit not in _SYMBOLS and unit not in _ATTACHED:  # 5x, 2ab, 3 i: algebra
        return None
    return unit, factor


def _same(left: Quantity, right: Quantity) -> bool:
    units = {_symbol(left.unit), _symbol(right.unit)} - {""}
    if len(units) > 1 and units <= _SYMBOLS:
        return False
    if left.value == right.value:
        return True
    return units == {"%"} and _share(left) == _share(right)


def _symbol(unit: str) -> str:
    return unit.replace("^{", "^").replace("}", "").replace("^2", "²").replace("^3", "³").replace(" ", "")


def _share(quantity: Quantity) -> Fraction:
    return quantity.value / 100 if quantity.unit == "%" else quantity.value


def _expression(text: str) -> str:
    return "".join(bare(plain(boxed(text) or text)).split())


def _written(value: Fraction) -> str:
    """A whole number or terminating decimal as such, any other number as a fraction."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        places = max(places, count)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    number = digits[: len(digits) - places] + ("." + digits[len(digits) - places :] if places else "")
    return ("-" if value < 0 else "") + number
