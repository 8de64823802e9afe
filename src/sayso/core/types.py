"""Every noun of sayso. A request goes in, candidates come out; the rest says how one is checked, run and scored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from sayso.core.progress import Progress

Split = Literal["train", "dev", "test"]
Grain = Literal["char", "token", "subtoken"]
RiskLevel = Literal["reads", "writes", "destroys", "unknown"]


@dataclass(frozen=True)
class Piece:
    """One earlier cell or one file that a request may refer to; the names that live in a kernel, `NAME: TYPE …` a line;
    the columns of tables that lie in files; or the error of the last cell. Readers pass over kinds they do not know."""

    kind: Literal["text", "code", "file", "names", "tables", "error"]
    text: str
    name: str = ""


@dataclass(frozen=True)
class Request:
    """What the user said; context is ordered nearest last."""

    text: str
    context: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Example:
    """A request with its references; `id` is made from the source, never from order in memory."""

    id: str
    request: Request
    references: tuple[str, ...]
    meta: Mapping[str, str] = field(default_factory=dict)


LEFT_OPEN = "put in yourself: "
"""How a reason of a candidate begins that names what its user has to fill in."""


@dataclass(frozen=True)
class Candidate:
    """One instruction; a higher score is better, and `why` explains it in short phrases."""

    text: str
    score: float
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class Risk:
    """What an instruction may do to the machine, and the words in it that make it so."""

    level: RiskLevel
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """Something wrong with an instruction (an unknown flag, an undefined name), at characters start:end."""

    message: str
    start: int = -1
    end: int = -1
    known: bool = True
    """False where the target knows nothing of what stands there, which is no mistake of the instruction."""
    fatal: bool = False
    """As it stands the instruction fails, or does nothing."""


class Constant(Protocol):
    """Something that a request names: a file, a size, quoted text; `value` is what it comes to."""

    @property
    def kind(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def value(self) -> str: ...


@dataclass(frozen=True)
class Asked:
    """A request read once, for all that look at it: what it names, and what it tells to do to the machine."""

    request: Request
    constants: tuple[Constant, ...] = ()
    """What an instruction must use."""
    deeds: frozenset[str] = frozenset()
    """The kinds of deeds that it orders, by names of the target's own."""
    question: bool = False
    smuggles: bool = False
    """It holds text that would be run, behind which nothing is a wish."""
    limit: str = ""
    """The word that says that only some are meant: "delete the old files"."""
    spares: bool = False
    """It says that something is to be left alone."""


@dataclass(frozen=True)
class Draft:
    """A candidate while it is weighed, parsed once. It stays in its process: send the text to a worker."""

    text: str
    canonical: str
    """The text itself where it does not parse."""
    risk: Risk
    findings: tuple[Finding, ...] = ()
    problem: str = ""
    """Why it does not parse."""
    tree: object = None
    """What the target read, for its own use."""
    why: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    """By source."""


@dataclass(frozen=True)
class Evidence:
    """A named number that speaks against a draft, with the reason as text; what it counts, `answer/weigh.py` says."""

    name: str
    reason: str
    value: float = 1.0


@dataclass(frozen=True)
class Note:
    """What characters start:end of an instruction do, in plain words."""

    text: str
    gloss: str
    start: int = -1
    end: int = -1


@dataclass(frozen=True)
class FileSpec:
    """A file put into, or found in, a sandbox.

    A link keeps its target in `content`; "other" is a pipe, socket or device. `size` is -1 unless the content was too
    large to read back, in which case `content` holds only its digest. Of a file put in it is the length to which zeros
    fill it up.
    """

    path: str
    content: bytes = b""
    kind: Literal["file", "dir", "link", "other"] = "file"
    mode: int = 0o644
    mtime: float = 0.0
    owner: str = ""
    size: int = -1


@dataclass(frozen=True)
class Change:
    path: str
    how: Literal["created", "changed", "removed"]
    before: FileSpec | None
    after: FileSpec | None


@dataclass(frozen=True)
class Outcome:
    """What a finished run showed. `stopped` names the limit that ended it, if one did."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    changes: tuple[Change, ...] = ()
    cpu_seconds: float = 0.0
    stopped: Literal["", "cpu", "wall", "memory", "output"] = ""


@dataclass(frozen=True)
class Limits:
    cpu_seconds: float = 5.0
    wall_seconds: float = 10.0
    memory_mb: int = 512
    output_bytes: int = 1_000_000
    file_bytes: int = 50_000_000
    disk_mb: int = 256
    processes: int = 64
    network: bool = False


@dataclass(frozen=True)
class Layer:
    """A read-only file tree that an earlier run left, named by the digest of everything that made it."""

    digest: str
    path: Path
    outcome: Outcome | None = field(default=None, compare=False)
    """How the run that left it ended, without changes; None where only a script that succeeds makes the layer."""


Hear = Callable[[Literal["stdout", "stderr"], bytes], None]
"""Told what a run prints, as it comes. What it raises ends the run, and whoever asked gets it."""


class Sandbox(Protocol):
    """One engine for fixtures, kernels and package builds: a root, read-only layers by digest, a writable top.

    Both methods raise `SandboxFailed` when the sandbox itself did not work; a failing script is an ordinary outcome.
    `environment` is set for the script, over what every script finds; `hear` is told what it prints, as it comes.
    """

    def run(
        self,
        script: str,
        files: Sequence[FileSpec],
        limits: Limits,
        layers: Sequence[Layer] = (),
        *,
        environment: Mapping[str, str] | None = None,
        hear: Hear | None = None,
    ) -> Outcome: ...

    def layer(
        self,
        script: str,
        files: Sequence[FileSpec],
        limits: Limits,
        layers: Sequence[Layer] = (),
        *,
        environment: Mapping[str, str] | None = None,
        hear: Hear | None = None,
        failed: bool = False,
        leave_out: Sequence[str] = (),
    ) -> Layer:
        """What a script left, made once for a digest; raises `RunFailed` where it did not succeed.

        With `failed`, what a failing or stopped script left is a layer too, and its outcome is kept with it.
        `leave_out` names absolute paths that are not kept.
        """
        ...


@dataclass(frozen=True)
class Score:
    """A number with everything needed to trust it: n, what was left out and why, an interval, and a signature."""

    name: str
    value: float
    n: int
    unscored: Mapping[str, int]
    signature: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Unscored:
    """The statistic of an example that says nothing about the system: a broken sandbox, a missing verdict."""

    reason: str


S = TypeVar("S")


class Metric(Protocol[S]):
    """Measure one example anywhere, reduce many once. Statistics are plain JSON values, so that they can be saved.

    `signature` holds everything that changes the number; `name` is the literal name of the score (`match_full@1`).
    """

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> S | Unscored: ...

    def reduce(self, stats: Sequence[S | Unscored]) -> Score: ...


@runtime_checkable
class MeasuresAnswers(Protocol):
    """A metric that must know whether the system abstained; it is asked this instead of `measure`."""

    def measure_answer(self, example: Example, candidates: Sequence[Candidate], abstained: bool) -> Any: ...


class Bench(Protocol):
    """Long work that several metrics share: done for all examples at once, before any is measured."""

    def prepared(
        self,
        examples: Sequence[Example],
        answers: Sequence[Sequence[Candidate] | None],
        engine: Any,
        progress: Progress,
    ) -> Bench:
        """The bench with the work done; None is an example without a prediction. `engine` is one of `scale`."""
        ...

    def notes(self) -> list[str]:
        """For people, beside the scores."""
        ...

    def files(self) -> Iterable[tuple[str, str]]:
        """Path → text: what is kept beside the scores, for those who ask why."""
        ...


@runtime_checkable
class DrawsClusters(Protocol):
    """A metric whose examples are not independent: intervals draw whole clusters, and its signature says so."""

    def cluster(self, example: Example) -> str: ...


class Translator(Protocol):
    """At most k candidates for each request, best first; the same answer for the same request."""

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]: ...


def no_suggestions(request: Request, k: int) -> list[str]:
    """The `nearest` of a system that knows no requests by heart."""
    return []


@dataclass(frozen=True)
class Question:
    """What to ask back; `choices` are (what it would do, the instruction), the better reading first."""

    text: str
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Remarks:
    """What a system says to one request beside its candidates."""

    reason: str = ""
    """Why it gives no answer, however sure its first candidate is; "" where it may."""
    barred: bool = False
    """What was asked for must not be done: nothing that was kept from before may answer it either."""
    question: Question | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    """Plain JSON values that only answers of this target have."""


def no_remarks(request: Request, k: int) -> Remarks:
    """The `remarks` of a system whose candidates say everything."""
    return Remarks()


@dataclass(frozen=True)
class System:
    """A translator with what an app needs around it: when to say "I don't know", and what to show then."""

    translator: Translator
    abstain_below: float = float("-inf")
    nearest: Callable[[Request, int], list[str]] = no_suggestions
    bundle: str = ""
    """Digest of the bundle that it was loaded from, for the record of a run."""
    remarks: Callable[[Request, int], Remarks] = no_remarks


@dataclass(frozen=True)
class Workspace:
    """The folders and the sandbox that an app hands to what it calls; nothing below apps reads the environment."""

    data: Path
    cache: Path
    sandbox: Sandbox | None = None


def plainly_read(request: Request) -> Asked:
    """The `read` of a target that looks for nothing in a request."""
    return Asked(request)


def nothing_seen(asked: Asked, drafts: Sequence[Draft]) -> list[tuple[Evidence, ...]]:
    """The `evidence` and `bars` of a target that knows only whether an instruction parses and what `check` finds."""
    return [()] * len(drafts)


def always_asks(text: str) -> str:
    """The `unasked` of a target none of whose instructions may run by itself."""
    return "nothing of this kind runs without a question"


def no_question(request: Request, candidates: Sequence[Candidate]) -> Question | None:
    """The `question` of a target that never asks back."""
    return None


@dataclass(frozen=True)
class Followed:
    """Edited instructions, best first; where there is none, `reason` says why in one line."""

    candidates: tuple[Candidate, ...]
    reason: str = ""
    undone: bool = False
    """What was asked for is what stood there before."""


def cannot_follow(instruction: str, words: str, before: Sequence[str]) -> Followed:
    """The `follow` of a target whose answers are not edited."""
    return Followed((), "this answer cannot be edited by what is said after it: ask again with all of it")


@dataclass(frozen=True)
class Table:
    """`notes` stand below it, one a line."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


class CorpusStats(Protocol):
    """Tables as row -> {"ours", "paper", …}; figures as label -> count. `constants` and `grounds` may be empty."""

    @property
    def corpus(self) -> str: ...
    @property
    def tables(self) -> Mapping[str, Mapping[str, Mapping[str, float | None]]]: ...
    @property
    def dropped(self) -> Mapping[str, int]: ...
    @property
    def grounds(self) -> Mapping[str, str]:
        """What is meant by each reason in `dropped`."""
        ...

    @property
    def figures(self) -> Mapping[str, Mapping[str, int]]: ...
    @property
    def constants(self) -> Sequence[Any]:
        """Records of constants that differ between NL and instruction: id, how, nl, command."""
        ...


class Network(Protocol):
    """One thing among those that it needs and those that need it: name -> the kind of the edge."""

    @property
    def name(self) -> str: ...
    @property
    def needs(self) -> Mapping[str, str]: ...
    @property
    def needed_by(self) -> Mapping[str, str]: ...


@runtime_checkable
class HasNetworks(Protocol):
    """The statistics of a corpus whose records need each other."""

    @property
    def networks(self) -> Mapping[str, Network]:
        """Title -> what is drawn below it."""
        ...


Membership = Literal["paper", "ours"]
"""Which rows of a corpus are counted: as published, or what our own filter and split make."""


@dataclass(frozen=True)
class Mining:
    """What `sayso data mine` is told: where to look, where to write, and how."""

    paths: tuple[Path, ...]
    out: Path | None = None
    """Examples go there; without it they are only counted."""
    cap: int = 0
    """Examples of one repository at the most; 0: all."""
    largest: int = 0
    """Bytes of a file that is read; 0: as the miner thinks fit."""
    engine: Any = None
    """An engine of `scale`; None is this process."""


@dataclass(frozen=True)
class Target:
    """An instruction language: a record of plain functions, so that it pickles to any worker."""

    name: str
    normalise: Callable[[str], str]
    """The canonical text; raises BadInstruction."""
    template: Callable[[str], str]
    """Arguments replaced by their types."""
    split: Callable[[str, Grain], list[str]]
    join: Callable[[Sequence[str], Grain], str]
    """The exact inverse of split."""
    risk: Callable[[str], Risk]
    check: Callable[[str], list[Finding]]
    """What a reader would point at: an unknown flag, an undefined name, a value of the wrong type."""
    explain: Callable[[str], list[Note]]
    """Word by word."""
    run: Callable[[str, Request, Sandbox], Outcome]
    draft: Callable[[Sequence[str]], list[Draft]]
    """Instructions parsed, once each; never raises."""
    words: Callable[[str], list[str]] | None = None
    """What a network reads and says of an instruction, which `join` takes too; `split` where there is none."""
    read: Callable[[Request], Asked] = plainly_read
    evidence: Callable[[Asked, Sequence[Draft]], list[tuple[Evidence, ...]]] = nothing_seen
    """Whether what parses is what was asked for; never raises."""
    bars: Callable[[Asked, Sequence[Draft]], list[tuple[Evidence, ...]]] = nothing_seen
    """Why an instruction may never come first: it would destroy what nobody asked to be destroyed."""
    unasked: Callable[[str], str] = always_asks
    """Why an instruction must not run without a question, "" where it may; never raises."""
    answered_by: str = ""
    """The task whose `default` system answers single requests; "" where none does."""
    question: Callable[[Request, Sequence[Candidate]], Question | None] = no_question
    """What to ask back where the first two candidates are close."""
    follow: Callable[[str, str, Sequence[str]], Followed] = cannot_follow
    """An answer, what is said after it, and what it was before earlier edits, newest last -> the edited answer."""
    made_from: Mapping[str, Callable[[Path], Target]] = field(default_factory=dict, hash=False)
    """Kind of source -> this target as the source at a path has it; `machine` is what the cache folder knows of this
    machine, and any other kind is something that the user names."""
    openers: Mapping[str, Callable[[Path, Workspace], System]] = field(default_factory=dict, hash=False)
    """Kind of bundle -> what makes a system of the folder of one that was checked."""
    corpora: Mapping[str, Callable[[Workspace, Membership, Progress], CorpusStats]] = field(
        default_factory=dict, hash=False
    )
    """Corpus -> what counts it."""
    miners: Mapping[str, Callable[[Mining, Progress], Mapping[str, object]]] = field(default_factory=dict, hash=False)
    """Kind of source -> what makes examples of a user's files, and says what became of every one of them."""
    fetchers: Mapping[str, Callable[[Workspace, Progress], Mapping[str, object]]] = field(
        default_factory=dict, hash=False
    )
    """What `sayso data get` makes here beside corpora that are lists of files -> what makes it and says what it did."""
    pickers: Mapping[str, Callable[[Workspace, Progress, Sequence[str], int | None], Mapping[str, object]]] = field(
        default_factory=dict, hash=False
    )
    """The same for what comes one by one: of these names, or without any as many as the number says."""
    records: Mapping[str, Callable[[Path, str], Mapping[str, object]]] = field(default_factory=dict, hash=False)
    """Corpus -> one of its records by name, in the data folder, as plain JSON values."""
    pages: Mapping[str, Callable[[], str]] = field(default_factory=dict, hash=False)
    """Page below docs/ -> what makes its text."""


Labels = Callable[[Example], Sequence[str]]
"""The kinds that an example is of, one or several; none where nothing is known about it."""

Breakdown = Callable[[Workspace, Sequence[Example], Mapping[str, Sequence[Sequence[Candidate]]]], Table | None]
"""The examples of a split and every system's candidates for them, in the same order -> one table."""


def no_slices(workspace: Workspace) -> Mapping[str, Labels]:
    """The `slices` of a task whose examples are all of one kind."""
    return {}


def no_stages(workspace: Workspace, base: str, replaced: Mapping[str, str]) -> System:
    """The `staged` of a task whose systems are of one piece."""
    raise NotImplementedError("a task without stages has none to replace")


def no_folder(workspace: Workspace, request: Request) -> Path | None:
    """The `folder` of a task whose requests say everything."""
    return None


WITHIN = "within:"


def within_ref(text: str) -> str:
    """What stands in stored predictions for a text that an example holds."""
    return WITHIN + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def nothing_within(example: Example) -> Iterable[str]:
    """The `within` of a task whose examples hold no answers."""
    return ()


def nothing_absent(workspace: Workspace) -> tuple[str, ...]:
    """The `absent` of a task all of whose scores can be computed, or whose app says why not."""
    return ()


@dataclass(frozen=True)
class Task:
    """What a paper measures: one corpus, one question, its metrics (the first is the headline); systems that ship."""

    name: str
    target: Target
    load: Callable[[Workspace, Split], Iterable[Example]]
    metrics: Callable[[Workspace], tuple[Metric[Any], ...]]
    systems: Mapping[str, Callable[[Workspace], System]] = field(default_factory=dict)
    """Systems that need no training framework; `default` is the embedded best one."""
    slices: Callable[[Workspace], Mapping[str, Labels]] = no_slices
    """Kinds of examples that every system is scored on apart in a report: title -> the kinds of an example."""
    breakdowns: tuple[Breakdown, ...] = ()
    """Whole tables of a report that only this task has."""
    cluster: Callable[[Example], str] | None = None
    """What examples share that are no independent ones, such as the call of which they are paraphrases: intervals draw
    whole clusters, and paired tests swap them. A metric with a `cluster` of its own keeps that."""
    drawn: str = "examples"
    """What intervals draw, as people call it."""
    stages: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Stages that systems are made of -> the names of what may stand in for each."""
    staged: Callable[[Workspace, str, Mapping[str, str]], System] = no_stages
    """The system of a name with stages replaced: stage -> name."""
    in_cells: Callable[[str, int], Task] | None = None
    """The task with several examples measured together, "4" or "all", drawn by a seed; None where each stands alone."""
    absent: Callable[[Workspace], tuple[str, ...]] = nothing_absent
    """A line for each score of the task that this machine cannot compute, with what to install."""
    folder: Callable[[Workspace, Request], Path | None] = no_folder
    """The files that a request is about, for a program that is to read them: a source tree."""
    sources: Callable[[Workspace], Iterable[tuple[str, str]]] | None = None
    """Ids and texts of what systems retrieve and predictions keep by id; None: first references of the train part."""
    within: Callable[[Example], Iterable[str]] = nothing_within
    """What a system may find in an example itself and repeat, in the form of an answer: predictions keep its digest."""
