"""Secrets taken out of text before it is shown or stored.

Known values come from the environment, where alone secrets are kept; a text is also searched for what is written like
a secret: a field whose name says so, a URL with a password, a key of a well-known shape.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

__all__ = ["redact", "secret_values"]

REDACTED = "[redacted]"

SHORTEST = 6
"""A shorter value is found inside ordinary words."""

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|CREDENTIALS?|BEARER|PAT|"
    r"JWT|COOKIE|WEBHOOK(?:_URL)?)(?:_?[0-9]+|_ID)?$|_PWD$",
    re.IGNORECASE,
)

_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk)-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}"  # OpenAI and others; not sk-learn
    r"|hf_[A-Za-z0-9]{16,}"
    r"|AIza[A-Za-z0-9_-]{30,}"
    r"|gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"  # a JSON web token
    r")"
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_USER_INFO = re.compile(r"(?<=://)([^\s/@:]*):([^\s/@]+)@")

_VALUE = r"""(?!(?:Bearer|Basic|Digest|Token|None|null|true|false)\b)[^\s"'\\&,;<>(){}\[\]]+"""
_SEPARATOR = r"""\\?["']?\s*(?:=>|[:=])\s*\\?["']?"""
_FIELD = re.compile(
    r"(?P<name>(?<![A-Za-z0-9])(?:[A-Za-z0-9]+[_-])*"
    r"(?:api[_-]?key|apikey|access[_-]?key|secret[_-]?key|private[_-]?key|(?:access|auth|api|bearer|refresh|id|hf)[_-]?token|"
    r"client[_-]?secret|password|passwd|passphrase)"
    rf"{_SEPARATOR})(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_AUTHORISATION = re.compile(
    rf"(?P<name>(?<![A-Za-z0-9])(?:proxy-)?authorization{_SEPARATOR}(?:(?:Bearer|Basic|Token|Digest)\s+)?)(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(?P<name>\bBearer\s+)(?P<value>[A-Za-z0-9._~+/=-]{8,})")
_LOOSE_FIELD = re.compile(
    rf"(?P<name>[?&](?:key|token|secret|sig|signature|auth)=|(?<![A-Za-z0-9_-])(?:token|secret){_SEPARATOR})(?P<value>{_VALUE})",
    re.IGNORECASE,
)


def secret_values(environ: Mapping[str, str]) -> list[str]:
    """The values of the variables whose names say that they hold a secret, longest first.

    A short value, an ordinary word and a number (KEY=public, MAX_TOKEN=100000) are not taken: other texts hold them.
    """
    found = {value.strip() for name, value in environ.items() if _SECRET_NAME.search(name)}
    return sorted((value for value in found if _is_telling(value)), key=lambda value: (-len(value), value))


def _is_telling(value: str) -> bool:
    if len(value) < SHORTEST:
        return False
    word = value.isalpha() and (value.islower() or value.isupper() or value.istitle())
    return len(value) >= 12 or not (word or value.isdigit())


def redact(text: str, *, environ: Mapping[str, str] | None = None) -> str:
    """``text`` with "[redacted]" in the place of every secret.

    environ: where known secrets are, the process's environment when not given. A text without secrets comes back as it
    was.

    >>> redact("GET https://api.example/x?key=k3y-of-mine&q=1", environ={"SOME_API_KEY": "k3y-of-mine"})
    'GET https://api.example/x?key=[redacted]&q=1'
    >>> redact("config: {'api_key': 'abc'}, sk-learn is a library", environ={})
    "config: {'api_key': '[redacted]'}, sk-learn is a library"
    """
    for value in _written(secret_values(os.environ if environ is None else environ)):
        text = text.replace(value, REDACTED)
    text = _PRIVATE_KEY.sub(REDACTED, text)
    text = _USER_INFO.sub(rf"\1:{REDACTED}@", text)
    text = _SHAPES.sub(REDACTED, text)
    for pattern in (_AUTHORISATION, _FIELD, _BEARER):
        text = pattern.sub(_hide, text)
    return _LOOSE_FIELD.sub(_hide_random, text)


def _written(values: Iterable[str]) -> Iterator[str]:
    """Each value as it is, as a URL writes it, and as a Python or JSON string does."""
    for value in values:
        escaped = value.encode("unicode_escape").decode()
        yield from dict.fromkeys((value, quote(value, safe=""), quote(value), escaped))


def _hide(found: re.Match[str]) -> str:
    return found["name"] + REDACTED


def _hide_random(found: re.Match[str]) -> str:
    """A name such as "token" stands before ordinary words too: only a value of letters and digits mixed is a secret."""
    value = found["value"]
    mixed = len(value) >= 12 and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return found["name"] + REDACTED if mixed else found[0]
