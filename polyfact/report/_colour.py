"""The colours of a heatmap: ordered for every kind of colour vision and in grey, for light and dark."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["STEPS", "contrast", "ramp", "step", "stylesheet"]

STEPS = 21
Colour = tuple[int, int, int]

LIGHT: Sequence[Colour] = ((250, 243, 216), (211, 225, 183), (124, 184, 168), (50, 124, 148), (28, 54, 106))
DARK: Sequence[Colour] = ((30, 38, 50), (30, 70, 100), (52, 128, 146), (146, 196, 164), (250, 238, 178))
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)


def step(value: float) -> int:
    """The step of the ramp for a value in [0, 1]; what lies outside takes the nearest end."""
    return round(min(max(value, 0.0), 1.0) * (STEPS - 1))


def ramp(stops: Sequence[Colour]) -> list[tuple[Colour, Colour]]:
    """Background and ink of every step; the ink is black or white, whichever is the easier to read."""
    pairs = []
    for number in range(STEPS):
        place = number / (STEPS - 1) * (len(stops) - 1)
        first = min(int(place), len(stops) - 2)
        ends = zip(stops[first], stops[first + 1], strict=True)
        red, green, blue = (round(a + (b - a) * (place - first)) for a, b in ends)
        ground = (red, green, blue)
        pairs.append((ground, max((WHITE, BLACK), key=lambda ink: contrast(ground, ink))))
    return pairs


def contrast(a: Colour, b: Colour) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def stylesheet() -> str:
    """One class a step: .c0 is the lowest."""
    rules = []
    for number, ((day, day_ink), (night, night_ink)) in enumerate(zip(ramp(LIGHT), ramp(DARK), strict=True)):
        ground = f"light-dark({_hex(day)}, {_hex(night)})"
        ink = f"light-dark({_hex(day_ink)}, {_hex(night_ink)})"
        rules.append(f".c{number} {{ background: {ground}; color: {ink}; }}")
    return "\n".join(rules)


def _luminance(colour: Colour) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
