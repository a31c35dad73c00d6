"""What keeps a SPARQL query from giving the same rows on every endpoint."""

from __future__ import annotations

import re

__all__ = ["VARIABLES", "check_query"]

VARIABLES = ("subject", "object", "statement", "rank", "start", "end")
_ORDERED = ("subject", "object", "statement")

_OPAQUE = re.compile(
    r"(?P<iri><[^<>\"{}|^`\\\s]*>)"
    r"|(?P<string>\"\"\".*?\"\"\"|'''.*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|#[^\n]*",
    re.DOTALL,
)
_PREFIX = re.compile(r"\bPREFIX\s+([\w.-]*):\s*<>", re.IGNORECASE)
_NAME = re.compile(r"([A-Za-z][\w.-]*|\b_|(?<![\w?$])):(?=\w)")
_ONE_ENGINE = {
    "SERVICE": r"\bSERVICE\b",
    "hint:": r"\bhint:",
    "a named subquery (WITH, INCLUDE)": r"\bWITH\s*\{|\bINCLUDE\s*%",
}
_UNSTABLE = ("REDUCED", "SAMPLE", "GROUP_CONCAT", "RAND", "NOW", "UUID", "STRUUID", "BNODE")


def check_query(text: str) -> list[str]:
    """What keeps a query from giving the same rows everywhere; empty when nothing does.

    It must be one SELECT with every prefix declared, no SERVICE or engine's own extension, and nothing that
    differs from call to call; it must select `VARIABLES` by name and end with an order by subject, object and
    statement. It is not parsed: a query that passes may still be no SPARQL.

    >>> check_query("SELECT ?subject WHERE { ?subject wdt:P36 ?object }")[0]
    'prefix wdt: is not declared'
    """
    bare = _OPAQUE.sub(lambda match: "<>" if match["iri"] else '""' if match["string"] else " ", text)
    declared = set(_PREFIX.findall(bare))
    body = _PREFIX.sub(" ", bare).strip()
    problems = [f"prefix {name}: is not declared" for name in sorted(_names(body) - declared - {"_", "hint"})]
    problems += [
        f"{what} works on one engine only"
        for what, pattern in _ONE_ENGINE.items()
        if re.search(pattern, body, re.IGNORECASE)
    ]
    problems += [
        f"{word} may give other rows every time" for word in _UNSTABLE if re.search(rf"\b{word}\b", body, re.IGNORECASE)
    ]
    head = re.match(r"SELECT\b([^{]*?)(?:\bWHERE\s*)?\{", body, re.IGNORECASE)
    if head is None:
        return [*problems, "it is not one SELECT query"]
    selected = set(re.findall(r"[?$](\w+)", head[1]))
    problems += [f"?{name} is not selected" for name in VARIABLES if name not in selected]
    order = re.search(r"\bORDER\s+BY\b(.*)", body.rpartition("}")[2], re.IGNORECASE | re.DOTALL)
    ordered = set(re.findall(r"[?$](\w+)", order[1])) if order else set()
    missing = [f"?{name}" for name in _ORDERED if name not in ordered]
    if missing:
        problems.append(f"no ORDER BY {' '.join(missing)} at the end")
    return problems


def _names(body: str) -> set[str]:
    return set(_NAME.findall(body))
