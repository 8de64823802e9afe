"""What is put before an annotator and what comes back, as values and as JSON.

Five kinds: verdicts and describe (NL2Bash §4 and §3.1), phrase (Okapi figure 2), label (README-EVAL §5), tags (JuICe
tables 3 to 5).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from sayso.core.errors import BadFile, UserError
from sayso.core.given import LARGEST, parse_json, read_up_to

Kind = Literal["verdicts", "describe", "phrase", "label", "tags"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LABELS = ("build", "install", "test", "other")
"""The classes of lines, unless an item brings its own."""
MOST_CLASSES = 26
Json: TypeAlias = "dict[str, object]"


@dataclass(frozen=True)
class Option:
    """One candidate to be judged. `systems` stays in the store: the page never sees it."""

    text: str
    template: str = ""
    systems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """One thing to annotate; `text` is the request, the command, the call or the name of the document."""

    kind: Kind
    id: str
    text: str
    options: tuple[Option, ...] = ()
    canonical: str = ""
    lines: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    """Of lines, or the tags from which any number may be chosen."""


@dataclass(frozen=True)
class Opinion:
    """NL2Bash §4: is the full command right, and is its structure right when the arguments are ignored?"""

    command: bool
    template: bool


@dataclass(frozen=True)
class Range:
    """Lines first to last, counted from 1, both included."""

    first: int
    last: int
    label: str


@dataclass(frozen=True)
class Answer:
    """What one annotator said of one item; which field is filled depends on the kind."""

    verdicts: Mapping[str, Opinion] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    ranges: tuple[Range, ...] = ()
    note: str = ""
    tags: tuple[str, ...] | None = None
    """None where the kind has no tags: to choose none of them is an answer."""


def units(item: Item, answer: Answer) -> dict[tuple[str, str], str]:
    """The answer as single comparable judgements, (measure, where) → value; free text has none."""
    if item.kind == "verdicts":
        known = [
            (option.text, answer.verdicts[option.text]) for option in item.options if option.text in answer.verdicts
        ]
        values = {("command", text): _yes(opinion.command) for text, opinion in known}
        return values | {("template", text): _yes(opinion.template) for text, opinion in known}
    if item.kind == "label":
        labels = dict.fromkeys(range(1, len(item.lines) + 1), "none")
        for part in answer.ranges:
            labels |= dict.fromkeys(range(part.first, part.last + 1), part.label)
        return {("line", str(n)): labels[n] for n in labels}
    if item.kind == "tags":
        return {("tag", name): _yes(name in (answer.tags or ())) for name in item.classes}
    return {}


def covers(item: Item, answer: Answer) -> bool:
    """Whether the answer says something on everything that the item asks now (a later system may add candidates)."""
    return all(option.text in answer.verdicts for option in item.options)


def _yes(value: bool) -> str:
    return "y" if value else "n"


_TEXT_FIELD: dict[Kind, str] = {
    "verdicts": "request",
    "describe": "command",
    "phrase": "call",
    "label": "path",
    "tags": "request",
}


def read_items(path: Path, kind: Kind) -> list[Item]:
    """The items of a JSONL file; a line may name its own "kind" and "id"."""
    try:
        with path.open("rb") as file:
            text = read_up_to(file, LARGEST, str(path)).decode()
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", "--items takes a JSONL file, one item a line") from None
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not UTF-8 (byte {error.start})", "save it as UTF-8") from None
    items: dict[str, Item] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            item = item_from_json(read_object(line), kind)
        except (ValueError, UserError) as error:
            why = error.message if isinstance(error, UserError) else f"not JSON in UTF-8: {error}"
            raise BadFile(f"{path}:{number}: {why}", "the shapes are in docs/guide/judge.md") from None
        if item.id in items:
            raise BadFile(
                f'{path}:{number}: id "{item.id}" is used twice', "ids must differ; leave them out to have them made"
            )
        items[item.id] = item
    return list(items.values())


def item_from_json(value: Json, kind: Kind | None = None) -> Item:
    """{"request", "candidates"}, {"command"}, {"call", "canonical"}, {"path", "text"} or {"request", "body", "tags"}.

    All may add "kind" and "id", and a document "labels" of its own.
    """
    name = value.get("kind", kind)
    if name not in KINDS:
        raise UserError(f"kind must be one of {', '.join(KINDS)}, not {json.dumps(name)}")
    item = Item(name, "", _text(value, _TEXT_FIELD[name]))
    if name == "verdicts":
        options = tuple(_options(value.get("candidates")))
        if len({option.text for option in options}) < len(options):
            raise UserError('"candidates" holds the same text twice')
        item = replace(item, options=options)
    if name == "phrase":
        item = replace(item, canonical=_text(value, "canonical"))
    if name == "label":
        item = replace(item, lines=_lines(_text(value, "text")), classes=_classes(value.get("labels", []), "labels"))
    if name == "tags":
        body, classes = value.get("body", ""), _classes(value.get("tags"), "tags")
        if not isinstance(body, str):
            raise UserError('"body" must be text')
        if not classes:
            raise UserError('"tags" must name at least one tag')
        item = replace(item, lines=_lines(body) if body.strip() else (), classes=classes)
    given = value.get("id", "")
    if not isinstance(given, str):
        raise UserError('"id" must be text')
    return replace(item, id=given or _made_id(item))


def item_to_json(item: Item) -> Json:
    """The inverse of item_from_json."""
    value: Json = {"kind": item.kind, "id": item.id, _TEXT_FIELD[item.kind]: item.text}
    if item.kind == "verdicts":
        value["candidates"] = [
            {"text": option.text, "template": option.template, "systems": list(option.systems)}
            for option in item.options
        ]
    if item.kind == "phrase":
        value["canonical"] = item.canonical
    if item.kind == "label":
        value["text"] = "\n".join(item.lines)
        if item.classes:
            value["labels"] = list(item.classes)
    if item.kind == "tags":
        value |= {"body": "\n".join(item.lines), "tags": list(item.classes)}
    return value


def _made_id(item: Item) -> str:
    whole = "\0".join([item.text, item.canonical, *item.lines, *(item.classes if item.kind == "tags" else ())])
    return f"{item.kind}:{hashlib.sha256(whole.encode()).hexdigest()[:12]}"


def _lines(text: str) -> tuple[str, ...]:
    """Only "\\n" ends a line, so that numbers agree with `path:line` as every other tool counts it."""
    return tuple(line.removesuffix("\r") for line in text.rstrip("\r\n").split("\n"))


def _classes(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
        raise UserError(f'"{name}" must be a list of names')
    if len(set(value)) < len(value) or len(value) > MOST_CLASSES:
        raise UserError(f'"{name}" holds a name twice, or more than {MOST_CLASSES}')
    return tuple(value)


def _options(value: object) -> Iterator[Option]:
    if not isinstance(value, list) or not value:
        raise UserError('"candidates" must be a list with at least one candidate')
    for entry in value:
        if isinstance(entry, str) and entry.strip():
            yield Option(entry)
        elif isinstance(entry, dict):
            systems = entry.get("systems", [])
            if not isinstance(systems, list) or not all(isinstance(system, str) for system in systems):
                raise UserError('"systems" must be a list of names')
            template = entry.get("template", "")
            yield Option(_text(entry, "text"), template if isinstance(template, str) else "", tuple(systems))
        else:
            raise UserError('a candidate is a text or {"text", "template"}')


def answer_from_json(item: Item, value: Json) -> Answer:
    """Read what the page sent; raises UserError where it does not fit the item."""
    note = value.get("note", "")
    if not isinstance(note, str):
        raise UserError("the note must be text")
    if item.kind == "verdicts":
        return Answer(verdicts=dict(_verdicts(item, value.get("verdicts"))), note=note.strip())
    if item.kind == "label":
        return Answer(ranges=tuple(_ranges(item, value.get("ranges"))), note=note.strip())
    if item.kind == "tags":
        return Answer(tags=_chosen(item, value.get("tags")), note=note.strip())
    texts = value.get("texts")
    wanted = 2 if item.kind == "phrase" else 1
    if not isinstance(texts, list) or len(texts) != wanted or not all(isinstance(text, str) for text in texts):
        raise UserError(f"expected {wanted} text{'s' if wanted > 1 else ''}")
    return Answer(texts=tuple(text.strip() for text in texts), note=note.strip())


def answer_to_json(answer: Answer) -> Json:
    """The inverse of answer_from_json, without the fields that are empty."""
    value: Json = {"note": answer.note} if answer.note else {}
    if answer.verdicts:
        value["verdicts"] = [
            {"text": text, "command": opinion.command, "template": opinion.template}
            for text, opinion in answer.verdicts.items()
        ]
    if answer.texts:
        value["texts"] = list(answer.texts)
    if answer.tags is not None:
        value["tags"] = list(answer.tags)
    elif answer.ranges or not (answer.verdicts or answer.texts):
        value["ranges"] = [{"first": part.first, "last": part.last, "label": part.label} for part in answer.ranges]
    return value


def _verdicts(item: Item, value: object) -> Iterator[tuple[str, Opinion]]:
    if not isinstance(value, list) or not value:
        raise UserError("no verdicts were given")
    known = {option.text for option in item.options}
    for entry in value:
        given = _object(entry)
        text, command, template = given.get("text"), given.get("command"), given.get("template")
        if not isinstance(text, str) or text not in known:
            raise UserError("a verdict names a candidate that this item does not have")
        if not isinstance(command, bool) or not isinstance(template, bool):
            raise UserError("a verdict says true or false for the command and for its structure")
        if command and not template:
            raise UserError("a correct command has a correct structure")
        yield text, Opinion(command, template)


def _chosen(item: Item, value: object) -> tuple[str, ...]:
    """In the order in which the item names them, so that equal answers are equal."""
    if not isinstance(value, list):
        raise UserError("no tags were given")
    for one in value:
        if one not in item.classes:
            raise UserError(f"a tag is one of {', '.join(item.classes)}")
    return tuple(name for name in item.classes if name in value)


def _ranges(item: Item, value: object) -> Iterator[Range]:
    if not isinstance(value, list):
        raise UserError("no labelled lines were given")
    last_end, count, labels = 0, len(item.lines), item.classes or LABELS
    for entry in value:
        given = _object(entry)
        first, last, label = given.get("first"), given.get("last"), given.get("label")
        if type(first) is not int or type(last) is not int or not last_end < first <= last <= count:
            raise UserError("ranges of lines must lie within the document, in order and without overlap")
        if label not in labels:
            raise UserError(f"a label is one of {', '.join(labels)}")
        last_end = last
        yield Range(first, last, str(label))


def read_object(text: str | bytes) -> Json:
    """One JSON object; ValueError where it is none, or holds half of a surrogate pair, which no file could keep."""
    try:
        value = parse_json(text)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return _object(value)


def _object(value: object) -> Json:
    if not isinstance(value, dict):
        raise UserError("expected a JSON object")
    return value


def _text(value: Mapping[str, object], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text.strip():
        raise UserError(f'"{name}" must be a text that is not empty')
    return text


def count_kinds(items: Sequence[Item]) -> dict[str, int]:
    """How many items there are of each kind, without those of which there are none."""
    counts = {kind: sum(item.kind == kind for item in items) for kind in KINDS}
    return {kind: n for kind, n in counts.items() if n}
