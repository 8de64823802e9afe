"""Characters that a screen shows as nothing, or as something else: spelt out wherever a command is shown.

What is shown must be what runs. Letters that only look alike (Latin a, Cyrillic a) are not looked for.
"""

from __future__ import annotations

from sayso.core.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Default_Ignorable_Code_Point of Unicode 15.1 (DerivedCoreProperties.txt): what fonts leave out. Most of them are not
# printable to Python either; the fillers, variation selectors and joiners among them are letters and marks to it.
IGNORABLE = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
    *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
# Not ignorable to Unicode, and drawn as an empty space all the same.
BLANK = (
    (0x2800, 0x2800),  # Braille without a dot
    (0xFFFC, 0xFFFC),  # stands for an object that no terminal has
    (0x13441, 0x13442),  # Egyptian full and half blank
    (0x16FE4, 0x16FE4),  # Khitan filler
    (0x1D159, 0x1D159),  # a note without a head
)
# Marks that are drawn over, under or through any letter, and so are seen on a plain one.
DIACRITICS = ((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))


def is_seen(one: str) -> bool:
    """Whether a character by itself is something on the screen. A blank is; other kinds of space are not."""
    return one.isprintable() and (one.isascii() or not (is_in(one, IGNORABLE) or is_in(one, BLANK)))


def is_in(one: str, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(first <= ord(one) <= last for first, last in ranges)


def visible(text: str) -> str:
    """What would move the cursor, hide, or hide something else is spelt out: "a\\x1b" -> "a\\\\x1b".

    Line ends and tabs stay: commands of several lines and tab-separated ones are common, and both are seen.
    """
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    base, marks = "", ""
    for one in text:
        if one in "\n\t":
            shown.append(one)
            base = marks = ""
        elif not is_seen(one):
            shown.append(ascii(one)[1:-1])
            base = marks = ""
        elif not one.isascii() and is_mark(one):
            shows = is_seen_on(one, base, marks)
            shown.append(one if shows else ascii(one)[1:-1])
            base, marks = (base, marks + one) if shows else ("", "")
        else:
            shown.append(one)
            base, marks = one, ""
    return "".join(shown)


def refuse_unseen(command: str) -> None:
    """UserError where what would run is not what was shown."""
    if visible(command) != command:
        raise UserError(
            "the command holds characters that would not be seen", "look at it with --json, or type it anew"
        )


def is_mark(one: str) -> bool:
    import unicodedata

    return unicodedata.category(one).startswith("M")


def is_seen_on(mark: str, base: str, marks: str) -> bool:
    """Whether a combining mark shows on what it stands on: a line under a blank is taken for `_`, a second acute lies
    on the first, and marks of other scripts are drawn on letters of theirs alone."""
    if not base.isalnum() or mark in marks:
        return False
    return not base.isascii() or is_in(mark, DIACRITICS)
