"""The API sequence of a cell (JuICe §5): its constructor and method calls in the order of the text, without arguments.

Read from tokens, so that cut code gives what stands before the cut; on code that parses it is the rule over the tree:
every call whose function is a name or an attribute, by its last name. The paper leaves out "keyword functions such as
range" and prints no list: here these are Python's built-in functions and types, called by their bare name.
"""

from __future__ import annotations

from collections.abc import Iterator

from sayso.targets.notebook.syntax.magics import without_magics
from sayso.targets.notebook.syntax.scan import CLOSERS, KEYWORDS, OPENERS, scan

BUILT_IN = frozenset(
    """
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr
    dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input
    int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property
    range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__
    basestring cmp execfile file long raw_input reduce reload unichr unicode xrange apply buffer intern coerce
    StandardError
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup
    FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
    ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt
    LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError
    OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError
    ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning
    SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError
    UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
    """.split()  # noqa: SIM905
)
"""Python's own functions, types and errors, and those that only Python 2 has."""
_BLANK = frozenset({"space", "line", "comment", "continuation"})


def api_sequence(code: str) -> list[str]:
    """d = Tree()⏎d.fit(X) -> Tree fit"""
    return list(_calls(without_magics(code)))


def _calls(code: str) -> Iterator[str]:
    before = last = last_kind = first = ""
    depth = 0
    for kind, piece in scan(code):
        if kind in _BLANK:
            if kind == "line" and depth == 0:
                before = last = last_kind = first = ""
            continue
        first = first or piece
        if piece in CLOSERS:
            depth = max(depth - 1, 0)
        elif piece in OPENERS:
            depth += 1
            # `match (x):` and the patterns of `case` call nothing.
            named = piece == "(" and last_kind == "name" and last not in KEYWORDS and first not in ("match", "case")
            if named and (before == "." or (last not in BUILT_IN and before not in ("def", "class"))):
                yield last
        elif kind == "string" and "{" in piece and "f" in piece[:2].lower():
            yield from _inside(piece)
        before, last, last_kind = last, piece, kind


def _inside(literal: str) -> Iterator[str]:
    """The calls in the fields of an f-string."""
    depth, start = 0, 0
    at = 0
    while at < len(literal):
        two = literal[at : at + 2]
        if depth == 0 and two in ("{{", "}}"):
            at += 2
            continue
        if literal[at] == "{":
            depth += 1
            start = at + 1 if depth == 1 else start
        elif literal[at] == "}" and depth:
            depth -= 1
            if depth == 0:
                yield from _calls(literal[start:at])
        at += 1
