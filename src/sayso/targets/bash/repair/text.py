"""Repairs of the shell text itself: quotes, brackets, pipes, dashes and blanks that are wrong or missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.bash.repair.scene import Repair, Scene
from sayso.targets.bash.syntax.line_edits import flags, read_line
from sayso.targets.bash.syntax.quote import quote

# What word processors and web pages make of plain characters.
TYPESET = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "--", "−": "-", "\u00a0": " "}
)
CLOSERS = {"$(": ")", "`": "`", "{": "; }", "(": ")"}


def typeset(scene: Scene) -> Iterator[Repair]:
    plain = scene.text.translate(TYPESET)
    if plain != scene.text:
        yield Repair(plain, "typographic quotes, dashes or blanks as the shell reads them", 0.97)


def copied_prompt(scene: Scene) -> Iterator[Repair]:
    """`$ ls`: the prompt was copied along."""
    if found := re.match(r"\s*(?:[$#%❯➜]|\[?\w+@[\w.-]+[: ]\S*\]?[$#])\s+(?=\S)", scene.text):
        yield Repair(scene.text[found.end() :], "the prompt was copied along", 0.95)


def open_quote(scene: Scene) -> Iterator[Repair]:
    """A quote that is not closed: close it at the end, or take an apostrophe for what it is."""
    if scene.line or (
        scene.said and not scene.heard(r"unexpected EOF|unmatched|unterminated|Unexpected end|quote>|missing closing")
    ):
        return
    text = scene.text
    mark = _unclosed(text)
    if mark:
        apostrophe = re.search(r"(?<=[A-Za-z])'(?=[a-z]{1,2}(?:\s|'|$))", text)
        if mark == "'" and apostrophe and text.count("'") % 2:
            start = text.rfind(" ", 0, apostrophe.start()) + 1
            end = re.compile(r"\s|$").search(text, apostrophe.end())
            assert end
            end_at, word = end.start(), text[start : end.start()]
            first, last = text.find("'"), text.rfind("'")
            if text.count("'") == 3 and not set('"$`\\') & set(text[first:last]):
                start, end_at, word = first, last + 1, text[first + 1 : last]
            yield Repair(f'{text[:start]}"{word}"{text[end_at:]}', "the apostrophe stands inside double quotes", 0.93)
        cut = re.search(r"s([/|#,])(?:(?!\1)\S)*\1(?:(?!\1)\S)*(?= \S+$)", text)
        if mark == "'" and cut:
            closed = text[: cut.end()] + f"{cut[1]}'" + text[cut.end() :]
            yield Repair(closed, "the s command and its quote are closed before the file", 0.94)
        brace = text.rfind("} ")
        if mark == "'" and brace > text.rfind(mark):
            yield Repair(f"{text[: brace + 1]}'{text[brace + 1 :]}", "the program is closed before the file", 0.93)
        program, blank, name = text.rstrip().rpartition(" ")
        if blank and program.rfind(mark) < len(program) - 1 and scene.is_there(name):
            yield Repair(f"{program}{mark} {name}", f"the {mark} is closed before {name}", 0.92)
        yield Repair(text.rstrip() + mark, f"the {mark} is closed", 0.9)
        pipe = text.find(" | ", text.rfind(mark))
        if pipe > 0:
            yield Repair(text[:pipe] + mark + text[pipe:], f"the {mark} is closed before the pipe", 0.92)
    for opener, closer in CLOSERS.items():
        if text.count(opener) > text.count(closer.strip(" ;")) and read_line(text + closer):
            yield Repair(text + closer, f"{opener} is closed", 0.9)


def _unclosed(text: str) -> str:
    """The quote that is open at the end: "" where none is."""
    mark = ""
    skip = False
    for one in text:
        if skip:
            skip = False
        elif one == "\\" and mark != "'":
            skip = True
        elif mark:
            mark = "" if one == mark else mark
        elif one in "'\"`":
            mark = one
    return mark


def odd_operator(scene: Scene) -> Iterator[Repair]:
    """A pipe that leads nowhere, two of them, brackets that the shell takes for its own."""
    if scene.line and not scene.heard(r"syntax error"):
        return
    text = scene.text
    bare = re.sub(r"\s*(?:\|\|?|&&)\s*$", "", text)
    if bare != text:
        yield Repair(bare, "nothing follows the last operator", 0.9)
    once = re.sub(r"\|(?:\s+\|)+", "|", re.sub(r"&&(?:\s*&&)+|;\s*;", "&&", text))
    if once != text:
        yield Repair(once, "one operator between two commands", 0.92)
    if scene.heard(r"unexpected token") or not scene.said:
        for found in re.finditer(r"(?<=\s)[^\s'\"$]*\([^()'\"]*\)[^\s'\"]*", text):
            yield Repair(text[: found.start()] + quote(found[0]) + text[found.end() :], "brackets need quotes", 0.88)
    if scene.heard(r"unexpected token 'newline'"):
        yield Repair(re.sub(r"<([\w./-]+)>", r"\1", text), "a name that stood in < > as a stand-in", 0.85)


def keywords(scene: Scene) -> Iterator[Repair]:
    """`for … ; echo`, `if … then`, a loop that does not end: the words that belong to them."""
    if scene.line or (scene.said and not scene.heard(r"syntax error")):
        return
    text = scene.text
    if re.match(r"\s*(?:for|while|until)\b", text) and not re.search(r"[;\n]\s*do\b", text):
        yield Repair(re.sub(r";\s*(?!do\b)", "; do ", text, count=1), "a loop has do before what it repeats", 0.93)
    if re.match(r"\s*if\b", text) and not re.search(r"[;\n]\s*then\b", text):
        fixed = (
            re.sub(r"\s+then\b", "; then", text, count=1) if "then" in text else re.sub(r";", "; then", text, count=1)
        )
        yield Repair(fixed, "then begins a command of its own", 0.93)
    for opener, closer in (("do", "done"), ("then", "fi"), ("case", "esac")):
        if len(re.findall(rf"\b{opener}\b", text)) > len(re.findall(rf"\b{closer}\b", text)):
            yield Repair(f"{text.rstrip(' ;')}; {closer}", f"{opener} is ended by {closer}", 0.9)


def brackets(scene: Scene) -> Iterator[Repair]:
    """`[-f x ]`, `[ -f x]`, `if[`: the brackets of a test are words of their own."""
    text = scene.text
    spaced = re.sub(r"(?<![\w$\[])\[(?=[^\s\[\]])", "[ ", text)
    spaced = re.sub(r"(?<=[^\s\[\]])\](?=\s*(?:;|&&|\|\||$))", " ]", spaced) if "[ " in spaced else spaced
    spaced = re.sub(r"\b(if|while|until|elif)\[", r"\1 [", spaced)
    if not re.search(r"\s\]", text) and scene.heard(r"\[: missing '\]'"):
        closed = re.sub(r"(?<=\s)(\[ .*?)\s*(?=;|&&|\|\||$)", r"\1 ] ", f" {text}", count=1).strip()
        yield Repair(closed, "a test ends with a bracket", 0.94)
    if spaced != text and scene.heard(r"missing '\]'|\[-|\[: |if\[|while\[|command not found|not found"):
        yield Repair(spaced, "the brackets of a test need blanks around them", 0.95)
    if scene.heard(r"\[: (?:too many arguments|=: unary operator expected|.*binary operator expected)"):
        quoted = re.sub(r"(?<![\"\w])(\$\w+|\$\{\w+\})(?![\"\w])", r'"\1"', text)
        if quoted != text:
            yield Repair(quoted, "a variable that may be empty or hold blanks needs quotes", 0.93)


def find_words(scene: Scene) -> Iterator[Repair]:
    """find: patterns without quotes, paths behind the tests, an -exec that does not end."""
    for command in scene.named("find"):
        if scene.heard(r"missing argument to '-exec|-exec: no terminating|not closed"):
            end = command.words[-1].end
            holds = any(word.value == "{}" for word in command.words)
            tail = " \\;" if holds else " {} \\;"
            rest = re.sub(r"^\s*;", "", scene.text[end:])
            yield Repair(scene.text[:end] + tail + rest, "-exec ends with \\;, which the shell leaves alone", 0.95)
        if not scene.heard(r"paths must precede expression|unknown primary or operator"):
            continue
        bare = [
            one.values[0]
            for one in flags(command, "-name", "-iname", "-path", "-wholename")
            if one.values and re.search(r"[*?]", one.values[0].text) and one.values[0].text == one.values[0].value
        ]
        if bare:
            text = scene.text
            for word in reversed(bare):
                text = text[: word.start] + f"'{word.text}'" + text[word.end :]
            yield Repair(text, "the pattern needs quotes, else the shell fills in names", 0.96)
            continue
        if found := scene.heard(r"paths must precede expression: '([^']+)'"):
            path = next((w for w in command.words[1:] if w.value == found[1]), None)
            if path and command.name:
                text = scene.text[: path.start].rstrip() + scene.text[path.end :]
                at = command.name.end
                yield Repair(f"{text[:at]} {path.text}{text[at:]}", "find takes paths before its tests", 0.95)


def history_mark(scene: Scene) -> Iterator[Repair]:
    """`echo "hi!"`: the shell looks in its history."""
    if scene.heard(r"event not found") and '"' in scene.text:
        yield Repair(scene.text.replace('"', "'"), "in single quotes ! is only a mark", 0.9)


def open_address(scene: Scene) -> Iterator[Repair]:
    """An address with & or ? outside quotes ends the command there."""
    for found in re.finditer(r"(?<![\"'\w])https?://[^\s'\"]*[&?][^\s'\"]*", scene.text):
        yield Repair(
            scene.text[: found.start()] + f"'{found[0]}'" + scene.text[found.end() :], "the address needs quotes", 0.8
        )


RULES = (typeset, copied_prompt, open_quote, odd_operator, keywords, brackets, find_words, history_mark, open_address)
