"""Whether two outcomes show the same: files they changed, what they printed, the state they left their shell in.

Printed text is read in two ways. As lines: blanks collapsed, `./` and the home folder left out of paths, order kept
only where the reference fixes one. As mentions, where the reference lists or searches: which files, and which lines of
them, an output tells of; `ls -l x`, `./x` and `x` mention the same file. docs/concepts/executed.md has the rules.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sayso.core.types import Change, Outcome
from sayso.targets.bash.executed import archives
from sayso.targets.bash.executed.facts import HERE
from sayso.targets.bash.executed.fixture import Fixture
from sayso.targets.bash.executed.stand_ins import CALLS, read_calls

STATE = "\x1estate\x1e"
TIMES = re.compile(
    r"\b(?:\w{3} +)?\w{3} +\d{1,2} +(?:\d\d:\d\d(?::\d\d)?|\d{4})(?: +\w+ +\d{4})?\b"
    r"|\b\d{4}-\d\d-\d\d(?:[T+ ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: [-+]\d{4})?)?"
    r"|\b1[67]\d{8}(?:\.\d+)?\b|[\d.,]+ bytes/sec"
)
MARK = re.compile(r"\bu\d+u\b")
# A line about one file has few words; one of a thousand would be read in square time.
LONGEST_TAIL = 24
NOISE = re.compile(r"(/proc|/sys|/dev)(/|$)")
SYSTEM = re.compile(r"(?:.* )?/(usr|etc|lib\w*|s?bin|var|boot|run|opt)(/\S*)?$")


@dataclass(frozen=True)
class Reading:
    """How the reference asks to be read."""

    lists: bool
    ordered: bool
    times: bool
    masks_times: bool = False
    drops_folders: bool = False
    searches_content: bool = False
    is_long: bool = False
    """Files are shown as `ls -l` shows them, which a person takes for a list of files all the same."""
    asks_detail: bool = False
    """The request wants more than paths."""
    asks_lines: bool = False
    """The request wants lines of files, so that it is not enough to name these."""
    keeps_empty: bool = False
    """Empty lines are what the request is about."""
    asks_layout: bool = False
    """The request says what stands between things, so that files are not only mentioned."""
    keeps_blanks: bool = False
    """The reference lays out blanks."""
    keeps_places: bool = False
    """Whole paths are asked for."""
    counts_lines: bool = False
    """Lines are counted, so that those which say nothing of files count too."""
    asks_to_see: bool = True
    """The request wants something shown; where it does not, what a command that changes files prints is no matter."""
    asks_silence: bool = False
    """The request says how much is to be printed, so that it counts what a command prints that changes files."""


@dataclass(frozen=True)
class Text:
    """One output: its lines, the files and marked lines it mentions, and what else it says."""

    lines: tuple[str, ...]
    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()
    rest: tuple[str, ...] = ()
    is_detailed: bool = False
    """Files come with more than their paths, as `ls -l` shows them."""
    is_whole: bool = False
    """Paths are shown from the root on."""
    separators: str = ""


@dataclass(frozen=True)
class View:
    """What counts of an outcome."""

    text: Text
    state: Text
    changes: tuple[tuple[str, ...], ...]
    contents: tuple[tuple[str, Text], ...]
    failed: bool
    acts: bool = False
    """Whether it changed anything: what the fixture makes as a run begins stands among the changes too."""
    complains: bool = False
    """Whether it wrote to the other output, where a request says how much a command may say."""

    @property
    def is_silent(self) -> bool:
        return not self.text.lines


def view(outcome: Outcome, fixture: Fixture, reading: Reading) -> View:
    stdout = outcome.stdout.decode("utf-8", "replace")
    printed, _, state = stdout.partition(STATE)
    index = _Index(fixture, reading)
    changes: list[tuple[str, ...]] = []
    contents: list[tuple[str, Text]] = []
    for change in outcome.changes:
        described = _describe(change, reading)
        if change.path == CALLS and change.after is not None:
            changes.append((CALLS,))
            contents.append((CALLS, Text(read_calls(change.after.content))))
            continue
        is_text = change.after is not None and change.after.kind == "file" and change.after.size < 0
        if is_text and change.after is not None and fixture.is_made(change.path):
            # A large file that the fixture makes: line by line it would be read for minutes.
            described, is_text = (*described, hashlib.sha256(change.after.content).hexdigest()), False
        if described:
            changes.append(described)
        if is_text and change.after is not None:
            held = archives.contents(change.after.content)
            text = change.after.content.decode("utf-8", "replace") if held is None else held
            contents.append((change.path, index.read(text)))
    return View(
        index.read(printed),
        _Index(fixture, replace(reading, drops_folders=False)).read(state),
        tuple(sorted(changes)),
        tuple(sorted(contents, key=lambda c: c[0])),
        outcome.exit_code != 0,
        any(
            change.path != CALLS and not fixture.is_made(change.path) and _describe(change, reading)
            for change in outcome.changes
        ),
        reading.asks_silence and bool(outcome.stderr.strip()),
    )


def same(reference: View, candidate: View, reading: Reading) -> bool:
    """Whether the candidate shows what the reference shows."""
    if reference.complains != candidate.complains:
        return False
    if reference.changes != candidate.changes or not _same_text(reference.state, candidate.state, reading):
        return False
    mine = dict(reference.contents)
    if not all(_same_text(mine[path], text, reading) for path, text in candidate.contents):
        return False
    if reference.acts and not reading.asks_silence and (reference.is_silent or not reading.asks_to_see):
        return True
    if reference.is_silent and candidate.is_silent:
        return reference.failed == candidate.failed or reference.acts or bool(reference.state.lines)
    return _same_text(reference.text, candidate.text, reading)


def visible(reference: View, nothing: View) -> bool:
    """Whether the reference did anything that a run of nothing does not."""
    return (reference.text, reference.state, reference.changes) != (nothing.text, nothing.state, nothing.changes)


def _same_text(one: Text, other: Text, reading: Reading) -> bool:
    if reading.keeps_places and one.is_whole != other.is_whole:
        return False
    if reading.asks_layout and one.separators != other.separators:
        return False
    if one.lines == other.lines:
        return True
    if not reading.ordered and Counter(one.lines) == Counter(other.lines):
        return True
    if reading.asks_layout or not reading.lists or not (one.paths or one.names or one.marks):
        return False
    if Counter(one.rest) != Counter(other.rest) or (other.is_detailed and not one.is_detailed):
        return False
    if one.is_detailed and not other.is_detailed and (reading.asks_detail or not (reading.is_long or one.marks)):
        return False
    if _is_repeated(other) and not _is_repeated(one) and not (one.marks or other.marks):
        return False
    # A search may name the files or show their lines; what does not search shows no lines.
    names_alone = reading.searches_content and not reading.asks_lines and not (one.marks and other.marks)
    if one.marks != other.marks and not names_alone:
        return False
    if one.names or other.names:
        return _fold(_base_names(one), reading) == _fold(_base_names(other), reading)
    return _fold(one.paths, reading) == _fold(other.paths, reading)


def _fold(mentioned: Iterable[str], reading: Reading) -> list[str]:
    """Each file once, in order of appearance where order counts."""
    return list(dict.fromkeys(mentioned)) if reading.ordered else sorted(set(mentioned))


def _is_repeated(text: Text) -> bool:
    """Whether some file is mentioned twice, as `ls` does when it is given a folder and what lies in it."""
    mentioned = [*text.paths, *text.names]
    return len(set(mentioned)) < len(mentioned)


def _base_names(text: Text) -> list[str]:
    return [*(path.rstrip("/").rsplit("/", 1)[-1] for path in text.paths), *text.names]


def plain(text: str) -> str:
    """A line as it is compared: './a  b' -> 'a b'"""
    text = re.sub(r"(?<![\w.~/-])\./+", "", text)
    text = re.sub(rf"(?<![\w.-]){HERE}(/|(?![\w-]))", lambda match: "" if match[1] else ".", text)
    return " ".join(re.sub(r"(?<=\w)//+", "/", text).split())


class _Index:
    """The paths, base names and marked lines of a fixture, to find in what a command printed."""

    def __init__(self, fixture: Fixture, reading: Reading) -> None:
        self.reading = reading
        self.folders = fixture.folders()
        self.paths = set(fixture.files) | self.folders | set(fixture.sockets)
        self.names = {path.rsplit("/", 1)[-1] for path in self.paths}
        self.folder_names = {path.rsplit("/", 1)[-1] for path in self.folders} - {
            path.rsplit("/", 1)[-1] for path in fixture.files if path not in self.folders
        }
        self.marks: dict[str, str] = {}
        self.seen: dict[str, tuple[list[str], list[str], set[str]]] = {}
        for path, spec in fixture.files.items():
            if spec.kind == "file":
                self.marks |= dict.fromkeys(MARK.findall(spec.content.decode("utf-8", "replace")), path)

    def read(self, text: str) -> Text:
        lines: list[str] = []
        paths: list[str] = []
        names: list[str] = []
        marks: set[str] = set()
        rest: list[str] = []
        detailed = False
        every = re.split(r"[\n\0]", text)
        for number, raw in enumerate(every):
            if self.reading.keeps_empty and not raw.strip() and number + 1 < len(every):
                lines.append("")
                continue
            line = plain(TIMES.sub("<time>", raw) if self.reading.masks_times else raw)
            is_total = not self.reading.counts_lines and re.fullmatch(r"total \d+\w?|\d+ total", line)
            if not line or NOISE.match(line) or is_total:
                continue
            found, based, marked = self.mentions(line)
            if self.reading.lists and not (found or based or marked) and SYSTEM.match(line):
                continue
            exact = self.path(line) or line.strip("'\"") in self.names
            detailed = detailed or bool((len(found) == 1 or based) and not marked and not exact)
            if self.reading.drops_folders and (found or based) and not marked:
                if all(path in self.folders for path in found) and all(name in self.folder_names for name in based):
                    continue
                found = [path for path in found if path not in self.folders]
                based = [name for name in based if name not in self.folder_names]
            lines.append(raw.rstrip() if self.reading.keeps_blanks else line)
            paths += found
            names += based
            marks |= marked
            if not (found or based or marked):
                rest.append(line)
        whole = f"{HERE}/" in text or text.strip() == HERE
        separators = "\0" * ("\0" in text) + "\n" * ("\n" in text.strip("\n"))
        return Text(
            tuple(lines), tuple(paths), tuple(names), frozenset(marks), tuple(rest), detailed, whole, separators
        )

    def mentions(self, line: str) -> tuple[list[str], list[str], set[str]]:
        """Paths, bare names and marks in one line; a line that comes often is read once."""
        if line not in self.seen:
            self.seen[line] = self._mentions(line)
        return self.seen[line]

    def _mentions(self, line: str) -> tuple[list[str], list[str], set[str]]:
        marks = set(MARK.findall(line)) & self.marks.keys()
        found = [self.marks[mark] for mark in sorted(marks)]
        whole = self.path(line)
        if whole:
            return [whole], [], set()
        head = line.split(":", 1)[0]
        if ":" in line and (path := self.path(head)):
            return [path, *found], [], marks
        if marks:
            return found, [], marks
        words = line.split(" ")
        if every := self.all_paths(words):
            return every, [], marks
        for at in range(max(0, len(words) - LONGEST_TAIL), len(words)):
            tail = " ".join(words[at:]).split(" -> ")[0]
            if path := self.path(tail):
                return [path], [], marks
            if tail.strip("'\"") in self.names:
                return [], [tail.strip("'\"")], marks
        return [], [], marks

    def all_paths(self, words: Sequence[str]) -> list[str]:
        """The paths that a line consists of, names with blanks included; [] where anything else stands in it."""
        found, at = [], 0
        while at < len(words):
            for end in range(min(len(words), at + 5), at, -1):
                if path := self.path(" ".join(words[at:end])):
                    found.append(path)
                    at = end
                    break
            else:
                return []
        return found

    def path(self, text: str) -> str:
        text = text.strip("'\"")
        text = text.rstrip("/") or text
        return text if text in self.paths else ""


def _describe(change: Change, reading: Reading) -> tuple[str, ...]:
    """A change without its content; () where it says nothing, as a folder's new time does."""
    before, after = change.before, change.after
    if after is None:
        return (change.path, "removed")
    was_folder = before is not None and before.kind == after.kind == "dir" and not reading.times
    if was_folder and before is not None and (before.mode, before.owner) == (after.mode, after.owner):
        return ()
    target = after.content.decode("utf-8", "replace") if after.kind == "link" else ""
    time = f"{after.mtime:.0f}" if reading.times and after.kind == "file" else ""
    digest = after.content.hex() if after.size >= 0 else ""
    return (change.path, change.how, after.kind, f"{after.mode:o}", after.owner, target, time, digest)
