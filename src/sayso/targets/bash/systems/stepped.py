"""A request of several acts, answered act by act: each with what the ones before leave behind, all as one line.

What a step leaves is a stream that the next one reads, a thing that "it" stands for, or a folder that is "there". The
line is one more candidate for the whole request: evidence and bars see it like any other. An act that has no answer,
or one that is not wholly said, leaves the request without a line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sayso.answer.weigh import SCORE
from sayso.core.types import Asked, Candidate, Draft, Request
from sayso.english.acts import acts
from sayso.targets.bash.follow_up.follow_ups import in_turn
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.language import Parsed, parsed, risk
from sayso.targets.bash.request.constants_used import constants_of, is_used
from sayso.targets.bash.safety.unasked_deeds import QUOTES
from sayso.targets.bash.systems.composed_deeds import LOSES, is_object
from sayso.targets.bash.systems.composed_request import PRINTS, SURE, is_smuggled
from sayso.targets.bash.systems.left_behind import (
    PLAIN_NAME,
    STREAM,
    Left,
    entered,
    leaves,
    may_be_lost,
    over_stream,
    piped,
    quoted,
    resolved,
    says_kind,
)

LEAST = 0.12
"""A step that is worth less is not known."""
WORST = 0.5
"""How much the least sure step counts beside the mean of all."""
GAP = re.compile(r"(?<![\w$'\"{-])[A-Z]{3,}(?![\w'\"}])")
SAID = 0.9
"""How sure a step is that the request spells out."""
RUN = re.compile(r"(?:run|execute|launch|start)\s+(?:the command\s+)?(?P<line>\S.*)", re.I)

INSIDE = re.compile(r"(?P<act>.+?)\s+(?:inside|in there|in it|there)(?: it)?", re.I)
"""An act in the folder that the one before left."""
PLACE = re.compile(r"(?<![\w.*?/\"'$}~-])[\"']?((?:~|\$\{?HOME\}?)[^\s\"';|&)]*|/(?!dev/null)[^\s\"';|&)]*)")
"""A path from the root or from home."""
OF_ANY_PLACE = frozenset(("files", "file", "folder", "folders", "info", "share", "local", "data", "all", "home", "the"))
"""Parts of paths that say nothing of which place it is."""
ARTICLES = ("the", "a", "an", "my", "this", "it", "them", "every", "each", "with", "in", "on", "for", "of")

FOLLOWS = re.compile(r"^(?:(?:please|now|ok(?:ay)?|and|then|so|also|afterwards|next|can you|could you)[,\s]+)+", re.I)
"""How a further act begins."""

BARE = re.compile(r"^(?P<deed>[a-z]+) (?:it|that|them|this|everything)(?= (?:as|with|to|and)\b|$)", re.I)

Reader = Callable[[str], Sequence[Draft]]
"""Answers to one act as to any request, best first, with confidences."""


@dataclass(frozen=True)
class Step:
    """One act, the command that does it, and how sure that is; `joined` says how it stands behind the one before."""

    act: str
    command: str
    score: float
    joined: str = " && "


def stepped(asked: Asked, read: Reader) -> list[Candidate]:
    """The line for a request of several acts; empty where it has one, or an act is not known."""
    text = asked.request.text
    parts = () if is_smuggled(text) or STREAM in text else acts(text)
    if len(parts) < 2:
        return []
    left = Left()
    steps: list[Step] = []
    for part in parts:
        step = taken(part, steps, left, read)
        if step is None or loses_far_off(steps, step):
            return []
        if step.joined == "":
            step = replace(step, act=f"{steps[-1].act}, {step.act}", joined=steps[-1].joined)
            steps[-1] = replace(step, score=min(step.score, steps[-1].score))
        else:
            steps.append(step)
        left = leaves(left, part, step.command)
    line = steps[0].command + "".join(f"{step.joined}{step.command}" for step in steps[1:])
    return [Candidate(line, round(worth(steps), 4), tuple(told(steps)))]


def behind(request: str, command: str, act: str, read: Reader) -> list[Candidate]:
    """A command with one more act behind it: `mkdir build`, "and go into it" -> `mkdir build && cd build`.

    `request` is what the command answered, "" where nobody knows; what the act loses must surely be what is meant.
    """
    if is_smuggled(act) or STREAM in act or not can_be_joined(Parsed(command)):
        return []
    said = FOLLOWS.sub("", act.strip().rstrip(".!?"))
    first = Step(request or command, command, SAID)
    step = taken(said, [first], leaves(Left(), first.act, command), read)
    if step is None and (bare := BARE.sub(r"\g<deed>", said)) != said and not LOSES.match(said):
        # "commit it" behind `git add .`: what a tool works on by itself has no name.
        draft = known(bare, read)
        step = Step(said, draft.text, draft.scores[SCORE]) if draft and draft.risk.level != "destroys" else None
    if step is None or step.joined == "" or step.command == command or loses_far_off([first], step):
        return []
    return [
        Candidate(f"{command}{step.joined}{step.command}", round(step.score, 4), (f"then, {said}: {step.command}",))
    ]


def worth(steps: Sequence[Step]) -> float:
    """Between the least sure step and the mean of all, by their logarithms."""
    logs = [math.log(step.score) for step in steps]
    return math.exp(WORST * min(logs) + (1 - WORST) * sum(logs) / len(logs))


def told(steps: Sequence[Step]) -> list[str]:
    """The steps as the menu shows them; a line that grew out of one act has none."""
    if len(steps) < 2:
        return []
    return [f"step {at} of {len(steps)}, {step.act}: {step.command}" for at, step in enumerate(steps, 1)]


def taken(act: str, before: Sequence[Step], left: Left, read: Reader) -> Step | None:
    """One act as a step; None where it is not known, or loses something that is not surely meant."""
    if folder := entered(act, left):
        return Step(act, f"cd {folder}", SAID)
    found = INSIDE.fullmatch(act)
    if found and left.place and not left.is_inside and (line := ordered_line(found["act"], before)):
        return Step(act, f"cd {quoted(left.place)} && {line}", SAID)
    if line := ordered_line(act, before):
        return Step(act, line, SAID)
    if before and (step := edited(act, before[-1])):
        return step
    said = resolved(act, left)
    if said is None:
        return streamed(act, before, read)
    is_sure = left.is_sure or says_kind(act, left) or is_object(act, left.act)
    is_sure = is_sure and may_be_lost(act, said, left, [step.command for step in before])
    if LOSES.match(act) and said != act and not is_sure:
        return None
    if before and (step := streamed(act, before, read)):
        return step
    draft = known(said, read)
    if draft is None or (said != act and not is_sure and parsed(draft).risk.level == "destroys"):
        return None  # "get rid of it" loses as much as "delete it"
    return Step(act, draft.text, draft.scores[SCORE])


def ordered_line(act: str, before: Sequence[Step]) -> str:
    """A command line that an act tells to run: "run ./configure", and "make all" behind "run make clean"."""
    found = RUN.fullmatch(act)
    line = found["line"] if found else act if before and RUN.fullmatch(before[-1].act) else ""
    words = line.split()
    if not words or any(word.lower() in ARTICLES for word in words):
        return ""
    is_path = words[0].startswith(("./", "/", "~/"))
    is_tool = (len(words) > 1 or words == ["make"]) and find_utility(words[0]) is not None
    return line if (is_path or is_tool) and Parsed(line).risk.level != "destroys" and Parsed(line).script else ""


def edited(act: str, last: Step) -> Step | None:
    """What only changes the command before: "sort them", "save it to x", "the top 3"."""
    command = Parsed(last.command)
    if command.risk.level not in PRINTS or command.text.startswith("cd "):
        return None
    got = in_turn(command.line, [act])
    if isinstance(got, str) or got.sure < SURE or got.text == last.command:
        return None
    if any(not is_used(token, got.text) for token in constants_of(Request(act))):
        return None
    # Deleting what another command lists is for those who look at the whole request.
    if risk(got.text).level == "destroys":
        return None
    return Step(act, got.text, SAID * got.sure, "")


def streamed(act: str, before: Sequence[Step], read: Reader) -> Step | None:
    """What reads what the command before prints: "lowercase them" behind `cut -d, -f2 a.csv`."""
    if not before:
        return None
    command = Parsed(before[-1].command)
    if command.risk.level != "reads" or command.line is None or command.text.startswith("cd "):
        return None
    for said in over_stream(act):
        found = known(said, read)
        tail = piped(found.text) if found else ""
        if found and tail:
            return Step(act, tail, found.scores[SCORE], " | ")
    return None


def known(said: str, read: Reader) -> Draft | None:
    """The best answer that says all the act names and leaves no gap."""
    constants = constants_of(Request(said))
    for draft in read(said):
        if draft.scores[SCORE] < LEAST:
            break
        if draft.findings or GAP.search(draft.text) or loses_unsaid(said, parsed(draft)):
            continue
        if all(is_used(token, draft.text) for token in constants) and can_be_joined(parsed(draft)):
            return draft
    return None


def loses_far_off(before: Sequence[Step], step: Step) -> bool:
    """Whether it loses something where the line has gone to by `cd /`, `cd ~` or `cd $X`, of which its own words say
    nothing: no bar sees how much `find . -delete` is there."""
    places = [one.command[3:].strip("'\"") for one in before if one.command.startswith("cd ")]
    return not all(map(PLAIN_NAME.fullmatch, places)) and risk(step.command).level == "destroys"


def loses_unsaid(said: str, command: Parsed) -> bool:
    """Whether it loses something at a place of its own that the act does not speak of: "delete everything" behind
    "go into build" is not the trash."""
    if command.risk.level != "destroys":
        return False
    spoken = set(re.findall(r"[a-z]+", said.lower()))
    for place in PLACE.findall(command.text):
        parts = {part for part in re.findall(r"[a-z]{3,}", place.lower()) if part not in OF_ANY_PLACE}
        if place not in said and not any(word.startswith(part) for part in parts for word in spoken):
            return True
    return False


def can_be_joined(command: Parsed) -> bool:
    """Whether `&&` behind it means what it should: one command or chain, without `||` and nothing in the background."""
    if command.script is None or "||" in QUOTES.sub(" ", command.text):
        return False
    return len(command.script.items) == 1 and not command.text.rstrip().endswith(("&", ";"))
