"""find's expression as a tree: tests and actions joined by and, or, not and comma."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sayso.targets.bash.syntax.tree import Argument, Flag, Literal, Operator

MAX_DEPTH = 30
# What a primary does besides being true or false; everything else only looks, and may change places with its like.
ACTIONS = {
    "-delete", "-exec", "-execdir", "-fls", "-fprint", "-fprint0", "-fprintf", "-ls", "-ok", "-okdir", "-print",
    "-print0", "-printf", "-prune", "-quit",
}  # fmt: skip
# True for the whole search wherever they stand.
GLOBAL = {
    "-depth", "-d", "-maxdepth", "-mindepth", "-mount", "-xdev", "-noleaf", "-ignore_readdir_race",
    "-noignore_readdir_race", "-nowarn", "-warn",
}  # fmt: skip
# Change what the tests after them mean.
POSITIONAL = {"-daystart", "-regextype", "-follow"}


@dataclass(frozen=True, slots=True)
class Test:
    flag: Flag


@dataclass(frozen=True, slots=True)
class Not:
    body: Expression


@dataclass(frozen=True, slots=True)
class All:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Any:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Comma:
    items: tuple[Expression, ...]


Expression = Test | Not | All | Any | Comma


def read_expression(arguments: Sequence[Argument]) -> Expression | None:
    """The expression that these arguments make up, or None where they are not well formed."""
    reader = _Reader(list(arguments))
    found = reader.comma(0)
    return found if found is not None and reader.at == len(reader.items) else None


def is_pure(node: Expression) -> bool:
    """Whether it only looks: no action and nothing that changes later tests."""
    if isinstance(node, Test):
        return node.flag.name not in ACTIONS and node.flag.name not in POSITIONAL
    if isinstance(node, Not):
        return is_pure(node.body)
    return all(map(is_pure, node.items))


def has_action(node: Expression) -> bool:
    """Whether find would leave out its own -print; -prune does not count."""
    if isinstance(node, Test):
        return node.flag.name in ACTIONS and node.flag.name != "-prune"
    if isinstance(node, Not):
        return has_action(node.body)
    return any(map(has_action, node.items))


def tidy(top: Expression, key: Callable[[Expression], str]) -> tuple[list[Flag], Expression | None]:
    """The same search in one order: global options taken out, tests that only look sorted, a last -print dropped."""
    leading: list[Flag] = []
    rest = _sort(_without_globals(top, leading), key)
    leading.sort(key=lambda flag: flag.name)
    return leading, _without_print(rest)


def _without_globals(node: Expression, leading: list[Flag]) -> Expression | None:
    """Take -maxdepth and its like out of every `and`, where they are simply true."""
    if isinstance(node, Test):
        if node.flag.name not in GLOBAL:
            return node
        leading.append(node.flag)
        return None
    if isinstance(node, Not):
        return node
    if isinstance(node, All):
        kept = [found for item in node.items if (found := _without_globals(item, leading))]
        return _joined(All, kept)
    return _joined(type(node), [_branch_without_globals(item, leading) for item in node.items])


def _branch_without_globals(node: Expression, leading: list[Flag]) -> Expression:
    """One side of an `or`; where nothing else stands there it must stay."""
    found: list[Flag] = []
    kept = _without_globals(node, found)
    if kept is None:
        return node
    leading.extend(found)
    return kept


def _without_print(top: Expression | None) -> Expression | None:
    """-print at the end of the only branch, without other actions, is what find does anyway."""
    items = list(top.items) if isinstance(top, All) else [top] if top else []
    last = items[-1] if items else None
    if not isinstance(last, Test) or last.flag.name != "-print" or any(has_action(item) for item in items[:-1] if item):
        return top
    return _joined(All, items[:-1])


def _sort(node: Expression | None, key: Callable[[Expression], str]) -> Expression | None:
    if node is None or isinstance(node, Test):
        return node
    if isinstance(node, Not):
        body = _sort(node.body, key)
        return Not(body) if body else None
    items = [found for item in node.items if (found := _sort(item, key))]
    if isinstance(node, Any):
        if all(map(is_pure, items)):
            items.sort(key=key)
        return _joined(Any, items)
    if isinstance(node, Comma):
        return _joined(Comma, items)
    return _joined(All, _sorted_runs(items, key))


def _sorted_runs(items: list[Expression], key: Callable[[Expression], str]) -> list[Expression]:
    """Tests between two actions may change places."""
    out: list[Expression] = []
    run: list[Expression] = []
    for item in items:
        if is_pure(item):
            if not _matches_all(item):
                run.append(item)
            continue
        out += [*sorted(run, key=key), item]
        run = []
    return out + sorted(run, key=key)


def _matches_all(node: Expression) -> bool:
    """-name '*' leaves nothing out."""
    return (
        isinstance(node, Test)
        and node.flag.name in ("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename")
        and all(part == Literal("*", True) for word in node.flag.values for part in word.parts)
    )


class _Reader:
    def __init__(self, items: list[Argument]) -> None:
        self.items = items
        self.at = 0

    def operator(self, *texts: str) -> bool:
        """Step over one of these operators, if it is next."""
        if self.at < len(self.items):
            item = self.items[self.at]
            if isinstance(item, Operator) and item.text in texts:
                self.at += 1
                return True
        return False

    def comma(self, depth: int) -> Expression | None:
        items = [self.any_of(depth)]
        while self.operator(","):
            items.append(self.any_of(depth))
        return _joined(Comma, items)

    def any_of(self, depth: int) -> Expression | None:
        items = [self.all_of(depth)]
        while self.operator("-o", "-or"):
            items.append(self.all_of(depth))
        return _joined(Any, items)

    def all_of(self, depth: int) -> Expression | None:
        items: list[Expression | None] = []
        while True:
            found = self.one(depth)
            if found is None:
                break
            items.append(found)
            self.operator("-a", "-and")
        return _joined(All, items)

    def one(self, depth: int) -> Expression | None:
        negated = False
        while self.operator("!", "-not"):
            negated = not negated
        if self.at >= len(self.items) or depth > MAX_DEPTH:
            return None
        item = self.items[self.at]
        found: Expression | None
        if isinstance(item, Flag):
            self.at += 1
            found = Test(item)
        elif self.operator("("):
            found = self.comma(depth + 1)
            if found is None or not self.operator(")"):
                self.at = len(self.items) + 1
                return None
        else:
            return None
        return Not(found) if negated else found


def _joined(kind: type[All] | type[Any] | type[Comma], items: Sequence[Expression | None]) -> Expression | None:
    """Items of one kind as one node, nested ones of the same kind taken in."""
    flat: list[Expression] = []
    for item in items:
        if item is None:
            return None
        flat.extend(item.items if isinstance(item, kind) else [item])
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else kind(tuple(flat))
