"""A request with its context in little room: the request stays whole, context goes from the far end on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Piece
from sayso.english.context import LEAST, Fitted, Marked, end_of, fit

# No two stretches of a text are equal, and every seventh character begins a line; upper case letters are marks.
TEXT = "".join("|" if n % 7 == 0 else chr(0x3B1 + n) for n in range(60))
LENGTHS = st.lists(st.integers(0, 60), max_size=6)
PIECES = LENGTHS.map(lambda sizes: tuple(Piece("code", TEXT[:size], chr(65 + n)) for n, size in enumerate(sizes)))
REQUESTS = st.integers(0, 60).map(lambda size: "".join(chr(0x430 + n) for n in range(size)))
MOST = st.integers(1, 150)


def fitted(context: tuple[Piece, ...], request: str, most: int) -> Fitted[str]:
    return fit(context, request, "#", most, lambda piece, room: Marked(piece.name, piece.text), "|".__eq__)


def said(found: Fitted[str]) -> str:
    return "".join(found.parts)


@given(PIECES, REQUESTS, MOST)
def test_the_request_is_whole_and_the_far_end_goes_first(context: tuple[Piece, ...], request: str, most: int) -> None:
    found = fitted(context, request, most)
    assert len(found.parts) <= most
    if len(request) > most:
        assert found.is_cut and said(found) == request[:most]
        return
    assert not found.is_cut and said(found).endswith(request)
    kept = context[len(context) - found.pieces :]
    if not kept:
        assert said(found) == request
        return
    first, *others = kept
    rest = "".join(piece.name + piece.text for piece in others) + "#" + request
    assert said(found).endswith(rest)
    far = said(found).removesuffix(rest)
    # Only of the farthest that is read something may be missing, and that at its beginning.
    assert far[0] == first.name and first.text.endswith(far[1:])
    whole = "".join(piece.name + piece.text for piece in kept) + "#" + request
    assert far[1:] == first.text or len(whole) > most


@given(PIECES, REQUESTS, MOST)
def test_nothing_that_has_room_is_left_out(context: tuple[Piece, ...], request: str, most: int) -> None:
    found = fitted(context, request, most)
    if found.pieces < len(context) and not found.is_cut:
        left = context[len(context) - found.pieces - 1]
        assert most - len(found.parts) < 1 + len(left.text) + 1 + LEAST
    everything = "".join(piece.name + piece.text for piece in context) + ("#" if context else "") + request
    if len(everything) <= most:
        assert said(found) == everything


@given(PIECES, REQUESTS, MOST)
def test_more_room_never_means_less_context(context: tuple[Piece, ...], request: str, most: int) -> None:
    assert fitted(context, request, most).pieces <= fitted(context, request, most + 1).pieces


def test_a_piece_that_is_cut_begins_with_a_line() -> None:
    text = "|first" + "|second line" * 4
    assert "".join(end_of(text, 30, "|".__eq__)) == "|second line" * 2
    assert "".join(end_of("a" * 99 + "|", 30, "|".__eq__)) == "a" * 29 + "|"  # else nothing of it would be left
    assert end_of(text, LEAST - 1, "|".__eq__) == []


def test_the_end_of_a_piece_is_never_followed_by_what_is_farther() -> None:
    def read(piece: Piece, room: int) -> Marked[str]:
        return Marked(piece.name, piece.text[-8:], is_whole=len(piece.text) <= 8)

    context = (Piece("code", "far", "A"), Piece("file", "x" * 40, "B"), Piece("text", "near", "C"))
    found = fit(context, "r", "#", 100, read, "|".__eq__)
    assert (said(found), found.pieces) == ("BxxxxxxxxCnear#r", 2)
