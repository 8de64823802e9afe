"""A follow-up edits the last answer: "only the newest five", "in /var/log instead" (NL2Bash §6.3, several turns).

What may be said stands in `data/follow_ups.toml`. The edit is made in the command tree, and its result is kept only
where it parses and has no flag that the utility lacks. Nothing is run.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sayso.core.errors import BadInstruction
from sayso.core.types import Candidate, Followed
from sayso.targets.bash.follow_up import columns, deeds, flags, narrow, order, others, outcome, printing, swaps
from sayso.targets.bash.follow_up.said_flag import HALF, is_negated, said_flag
from sayso.targets.bash.follow_up.words import FILLERS, NUMBERS, UNKNOWN, Edit, Found, left_over
from sayso.targets.bash.review.check import findings_in
from sayso.targets.bash.safety.taken_words import acting
from sayso.targets.bash.syntax.line_edits import Line, read_line
from sayso.targets.bash.syntax.parser import parse

DATA = Path(__file__).parents[1] / "data" / "follow_ups.toml"
OUTCOMES = ("told", "told_if", "repeated", "all_saved", "errors_saved", "in_place", "without_header")
ORDERING = ("best", "limit", "order", "sort_text", "reverse", "count", "measure", "tally", "unique")
EDITS: Mapping[str, Callable[[Line, re.Match[str]], Found]] = {
    **{name: getattr(order, name) for name in ORDERING},
    **{name: getattr(outcome, name) for name in OUTCOMES},
    "kind": narrow.kind,
    "named": narrow.named,
    "name_holds": narrow.name_holds,
    "excluded": narrow.excluded,
    "containing": narrow.containing,
    "affix": narrow.affix,
    "non_blank": narrow.non_blank,
    "sized": narrow.sized,
    "aged": narrow.aged,
    "owned": narrow.owned,
    "empty": narrow.empty,
    "executable": narrow.executable,
    "delete": deeds.delete,
    "hand_over": deeds.hand_over,
    "archive": deeds.archive,
    "place": swaps.place,
    "swap": swaps.swap,
    "value": swaps.value,
    "save": deeds.save,
    "also_shown": deeds.also_shown,
    "as_root": deeds.as_root,
    "not_as_root": deeds.not_as_root,
    "uncounted": deeds.uncounted,
    "either": deeds.either,
    "mine": deeds.mine,
    "in_background": deeds.in_background,
    "quiet": deeds.quiet,
    "watched": deeds.watched,
    "timed": deeds.timed,
    "named_flag": deeds.named_flag,
    "as_csv": printing.as_csv,
    "as_json": printing.as_json,
    "as_one_line": printing.as_one_line,
    "names_only": printing.names_only,
    "full_paths": printing.full_paths,
    "context": printing.context,
    "depth": flags.depth,
    "by_column": columns.by_column,
    "take_column": columns.take_column,
    "since": narrow.since,
    "tool_on_each": deeds.tool_on_each,
    "all_of_kind": others.all_of_kind,
    "other_file": others.other_file,
    "further_file": others.further_file,
    "other_extension": others.other_extension,
    "other_deed": others.other_deed,
}
AFTER = frozenset(("other_file", "further_file", "other_extension", "other_deed", "all_of_kind"))
"""What is only said after an answer: inside one request, "…, file a.txt" swaps nothing for something else."""
UNDO = re.compile(
    r"\W*(?:no,? )?(?:undo|revert|take back|go back|back|never ?mind|as (?:it was )?before)(?: that| it| one)?\W*", re.I
)
BETWEEN = re.compile(r"\s*,?\s+(?:and|then|but|,)\s+(?:also\s+|then\s+)?|\s*,\s*", re.I)
POLITE = re.compile(
    r"^(?:please|now|ok(?:ay)?|and|but|also(?!\s+(?:(?:for|on|of)\s+)?\S+\.\w+$)|then|so|can you|could you|no,|"
    r"actually,?)\s+",
    re.I,
)
NEARLY_ALL = 0.75
"""Of what a flag does: "skip binary files" is that flag of grep, and no folder called binary."""
MOST_CLAUSES = 4
MOST_WORDS = 10


@dataclass(frozen=True)
class Move:
    """What may be said, what must not be a part of it, and how it changes a command."""

    says: tuple[re.Pattern[str], ...]
    edit: Callable[[Line, re.Match[str]], Found]
    unless: re.Pattern[str] | None = None


def follow_up(previous: str, words: str) -> list[Candidate]:
    """("ls -l", "only the newest five") -> [`ls -lt | head -n 6`]; empty where it cannot be applied."""
    return list(follow(previous, words).candidates)


def follow(previous: str, words: str) -> Followed:
    """The same with the reason."""
    line = read_line(previous)
    if line is None:
        return Followed((), "the last command is more than one pipeline, and is not edited")
    clause = POLITE.sub("", words.strip().rstrip(".!?"))
    got = (is_negated(clause) and said_flag(line, clause, NEARLY_ALL)) or _clause(line, clause)
    if isinstance(got, str) and got.startswith(UNKNOWN):
        # Only what no move accounts for as a whole is taken for several changes.
        for parts in _partings(clause):
            together = _in_turn(line, parts)
            if not isinstance(together, str):
                got = together
                break
    if isinstance(got, str):
        got = said_flag(line, clause, 0.0 if got.startswith(UNKNOWN) else HALF) or got
    if isinstance(got, str):
        return Followed((), got)
    acts = [next(acting(words, one.text, previous), "") for one in got]
    if all(acts):
        return Followed((), acts[0])
    got = [one for one, reason in zip(got, acts, strict=True) if not reason]
    return Followed(tuple(Candidate(one.text, one.sure, (one.why,)) for one in got))


def understood(words: str) -> str:
    """The name of the edit that accounts for all that is said, or ""; whether it can be made depends on the command."""
    return next((name for move, _ in _moves(words) if (name := move.edit.__name__) not in AFTER), "")


def in_turn(line: Line | None, parts: Sequence[str]) -> Edit | str:
    """A command with several changes made, or the reason why one cannot be; what it does already needs no change."""
    if line is None:
        return "the command is more than one pipeline, and is not edited"
    done = Edit(line.text, "", 1.0)
    for part in parts:
        here = line if done.text == line.text else read_line(done.text)
        got = _in_turn(here, [part], AFTER) if here else "the command is more than one pipeline, and is not edited"
        if isinstance(got, str):
            if got.endswith("already"):
                continue
            return got
        done = Edit(got[0].text, f"{done.why}; {got[0].why}".strip("; "), min(done.sure, got[0].sure))
    return done


def is_undo(words: str) -> bool:
    """ "undo that": the answer before the last one, which only who keeps it knows."""
    return UNDO.fullmatch(words) is not None


def _partings(clause: str) -> Iterator[list[str]]:
    """Ways to read it as several: at each comma and "and", then in two at any blank: "recursively | as root"."""
    parts = [one for one in BETWEEN.split(clause) if one]
    if 1 < len(parts) <= MOST_CLAUSES:
        yield parts
    words = clause.split()
    yield from ([" ".join(words[:at]), " ".join(words[at:])] for at in range(1, min(len(words), MOST_WORDS)))


def _in_turn(line: Line, parts: Sequence[str], leave_out: Collection[str] = ()) -> Found:
    """Several changes at once, each to what the one before left."""
    whys: list[str] = []
    here, text, sure = line, line.text, 1.0
    for number, part in enumerate(parts):
        got = _clause(here, POLITE.sub("", part), leave_out)
        if isinstance(got, str):
            return got
        text = got[0].text
        if number < len(parts) - 1:
            following = read_line(text)
            if following is None:
                return "the two changes do not go together"
            here = following
        whys.append(got[0].why)
        sure = min(sure, got[0].sure)
    return [Edit(text, "; ".join(whys), sure)] if text != line.text else "the changes undo each other"


def _clause(line: Line, clause: str, leave_out: Collection[str] = ()) -> Found:
    """The edits of the first move that accounts for all that was said, and can be made."""
    reason = ""
    for move, found in _moves(clause):
        if move.edit.__name__ in leave_out:
            continue
        got = move.edit(line, found)
        if isinstance(got, str):
            reason = reason or ("" if got.startswith(UNKNOWN) else got)
            if got.endswith("already"):  # shorter readings of the same words would do it twice
                break
            continue
        if kept := [one for one in got if one.text != line.text and _sound(line, one.text)]:
            return kept
        reason = reason or ("it does that already" if got and got[0].text == line.text else "that would break it")
    return reason or f'{UNKNOWN} "{" ".join(clause.split())}"'


def _moves(clause: str) -> Iterator[tuple[Move, re.Match[str]]]:
    """Moves whose words leave nothing over, those that take the longest part of it first."""
    found = []
    for at, move in enumerate(moves()):
        for says in move.says:
            for match in says.finditer(clause):
                text = match.groupdict().get("text") or ""
                if (
                    (len(text) > 1 and text.lower() in FILLERS)
                    or left_over(clause, match)
                    or (move.unless and move.unless.fullmatch(text))
                ):
                    continue
                found.append((-(match.end() - match.start()), at, move, match))
    seen: set[int] = set()
    for _, at, move, match in sorted(found, key=lambda one: one[:2]):
        if at not in seen:
            seen.add(at)
            yield move, match


def _sound(line: Line, after: str) -> bool:
    """Whether it parses and nothing new is found wrong with it."""
    try:
        script = parse(after)
    except BadInstruction:
        return False
    known = {one.message for one in findings_in(line.script)}
    return all(one.message in known or one.message.startswith("unknown utility") for one in findings_in(script))


@cache
def moves() -> tuple[Move, ...]:
    table = tomllib.loads(DATA.read_text(encoding="utf-8"))
    parts = {
        **table["parts"],
        "orders": "|".join(sorted(order.ORDERS, key=len, reverse=True)),
        "keys": "|".join(order.KEYS.values()),
        "languages": "|".join(narrow.LANGUAGES),
        "numbers": "|".join(sorted(NUMBERS, key=len, reverse=True)),
        "n": r"(?P<n>\d+|<numbers>)",
    }
    plain = [
        Move(_patterns(one["say"], parts), EDITS[one["edit"]], re.compile(one["unless"]) if "unless" in one else None)
        for one in table["move"]
    ]
    return (*plain, *(Move(_patterns(one["say"], parts), flags.flag_edit(one)) for one in table["flag"]))


def _patterns(says: list[str], parts: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(rf"(?<![\w./-])(?:{_filled(one, parts)})(?![\w-])", re.I) for one in says)


def _filled(say: str, parts: Mapping[str, str]) -> str:
    """The parts put in, and the parts of those."""
    while (text := re.sub(r"(?<!P)<(\w+)>", lambda match: parts[match[1]], say)) != say:
        say = text
    return say.replace(" ", r"\s+").replace(r"\s+?", r"\s*")
