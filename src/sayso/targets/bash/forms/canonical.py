"""One text for commands that mean the same: flag order and spelling, quoting, find's expression, xargs' mark.

Every step keeps the meaning on a GNU system; what cannot be shown to be the same is left as it is written. Applying it
twice changes nothing. Compound statements and here-documents are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sayso.core.errors import BadInstruction
from sayso.targets.bash.forms.arrange import (
    SPELLINGS,
    canonical_name,
    drop_defaults,
    in_order,
    keeps_order,
    single_pattern,
)
from sayso.targets.bash.forms.find import All, Any, Comma, Expression, Not, Test, read_expression, tidy
from sayso.targets.bash.knowledge.utilities import Utility, find_utility
from sayso.targets.bash.syntax.expressions import FIND_OPTION
from sayso.targets.bash.syntax.parser import parse, reread
from sayso.targets.bash.syntax.quote import has_braces, is_fixed, quote, write_word
from sayso.targets.bash.syntax.tree import (
    Argument,
    Block,
    Chain,
    Command,
    Flag,
    Inner,
    InnerScript,
    Literal,
    Negation,
    Node,
    Operand,
    Operator,
    Pipeline,
    Redirect,
    Script,
    Substitution,
    Word,
    commands,
)

SYSTEM_FOLDERS = re.compile(r"/(?:usr/)?(?:local/)?s?bin/([\w.+-]+)")
OCTAL = re.compile(r"([-/]?)0+([0-7]{3,4})")
Write = Callable[[Flag], list[str]]
# Letters, pipes, plain quotes, names of variables and the usual redirects: nothing that could be read in two ways.
SURE = re.compile(
    r"""\s*[A-Za-z./](?:
        [A-Za-z0-9_./:,@%+=^\ |*?~-] | '[\ -&(-~]*' | "(?:[\ #%-\[\]^_a-~]|\\[\ -~]|\$[A-Za-z_]\w*)*"
        | \$[A-Za-z_]\w* | \{\} | \\[;()!*.] | \ !\  | \ 2>(?:\ ?/dev/null|&1)(?=\s|$) | \ >>?\ ?(?=[\w/])
    )*""",
    re.VERBOSE | re.ASCII,
)
SAME_PATHS = {"./": ".", "~/": "~", "$HOME": "~", '"$HOME"': "~", "$HOME/": "~", "${HOME}": "~"}
ONE_LINE_EACH = {"-l", "-C", "-x", "-m", "-g", "-o", "-n"}


def canonical(script: Script, source: str) -> str:
    """The canonical text of a tree that was read from `source`; the source itself where that cannot be made sure.

    The grammar under the tree reads some odd texts in more than one way, so that what we write might be read otherwise.
    Where it could, we look: a text that is not its own canonical form is not used.
    """
    text = canonical_text(script, source)
    if SURE.fullmatch(source):
        return text
    try:
        is_stable = canonical_text(parse(text), text) == text
    except BadInstruction:
        is_stable = False
    return text if is_stable else source.strip()


def canonical_text(script: Script, source: str) -> str:
    """The canonical text, unchecked."""
    if "<<" in source and any(
        r.operator.startswith("<<") and r.operator != "<<<" for c in commands(script) for r in c.redirects
    ):
        return source.strip()
    return _script(script, piped=False)


def _script(script: Script, *, piped: bool) -> str:
    out: list[str] = []
    for index, (item, separator) in enumerate(zip(script.items, script.separators, strict=True)):
        last = index == len(script.items) - 1
        out.append(_node(item, piped))
        if separator == "&":
            out.append(" &" if last else " & ")
        elif not last:
            out.append("; ")
    return "".join(out)


def _node(node: Node, piped: bool) -> str:
    if isinstance(node, Command):
        return _command(node, piped)
    if isinstance(node, Pipeline):
        return _pipeline(node, piped)
    if isinstance(node, Chain):
        out = [_node(node.items[0], piped)]
        for operator, item in zip(node.operators, node.items[1:], strict=True):
            out += [operator, _node(item, piped)]
        return " ".join(out)
    if isinstance(node, Negation):
        return "! " + _node(node.body, piped)
    if isinstance(node, Block):
        return _block(node, piped)
    after = tuple(r for r in node.redirects if r.start >= node.start + len(node.text))
    return " ".join([node.text, *_redirects(after)])


def _pipeline(node: Pipeline, piped: bool) -> str:
    out: list[str] = []
    for index, item in enumerate(node.items):
        last = index == len(node.items) - 1
        text = _node(item, piped or not last)
        if not last and node.operators[index] == "|&":
            text += " 2>&1"
        if out and text == "uniq" and out[-1] in ("sort", "sort -r"):
            out[-1] += " -u"
        else:
            out.append(text)
    return " | ".join(out)


def _block(node: Block, piped: bool) -> str:
    inside = _script(node.body, piped=piped)
    if node.kind == "(":
        text = f"( {inside} )" if inside.startswith("(") else f"({inside})"
    else:
        text = f"{{ {inside} }}" if inside.endswith("&") else f"{{ {inside}; }}"
    return " ".join([text, *_redirects(node.redirects)])


def _word(word: Word, *, is_name: bool = False) -> str:
    return write_word(word, _substitution, is_name=is_name)


def _substitution(substitution: Substitution) -> str:
    inside = _script(substitution.body, piped=True)
    return f"{substitution.opener}{' ' if inside.startswith('(') else ''}{inside})"


def _redirects(redirects: tuple[Redirect, ...]) -> list[str]:
    """`1> f` -> `>f`, `> f 2>&1` -> `&>f`."""
    out: list[str] = []
    for redirect in redirects:
        operator, descriptor = redirect.operator, redirect.descriptor
        if (descriptor, operator[:1]) in (("1", ">"), ("0", "<")):
            descriptor = ""
        target = _word(redirect.target) if redirect.target else ""
        blank = " " if target.startswith(("<(", ">(")) else ""
        out.append(f"{descriptor}{operator}{blank}{target}")
    if len(out) == 2 and out[1] == "2>&1" and re.match(r">[^&>|( ]", out[0]):
        return ["&" + out[0]]
    return out


def _command(command: Command, piped: bool) -> str:
    out = [f"{a.name}={_word(a.value) if a.value else ''}" for a in command.assignments]
    if command.name is not None:
        out += _invocation(command, piped)
    return " ".join([*out, *_redirects(command.redirects)])


def _invocation(command: Command, piped: bool) -> list[str]:
    """The words of a command in canonical order, without redirects."""
    assert command.name is not None
    name = _word(command.name, is_name=True)
    if found := SYSTEM_FOLDERS.fullmatch(name):
        name = found[1]
    utility = find_utility(command.utility)
    known = utility is not None and name == command.utility and all(_is_settled(a, utility) for a in command.arguments)
    if utility is None or not known or utility.syntax in ("test", "subcommands"):
        return [name, *_as_written(command, piped)]
    if utility.syntax == "find":
        return [name, *_find(command, utility)]
    if name == "xargs":
        command = _with_braces(command)
    return _arranged(command, utility, name, piped)


def _is_settled(argument: Argument, utility: Utility) -> bool:
    """Whether we know what a flag is and that it has the values it needs."""
    if not isinstance(argument, Flag):
        return not isinstance(argument, Operand) or argument.type != "Stray"
    entry = utility.flag(argument.name)
    if entry and entry.arguments and not entry.optional and len(argument.values) < len(entry.arguments):
        return False
    if argument.style == "bundle" and argument.values and utility.syntax == "ps":
        return False
    if any(map(has_braces, argument.values)) and not _stays_apart(argument, utility):
        return False
    return argument.known and (argument.types != ("Command",) or bool(argument.inner and argument.closer))


def _stays_apart(flag: Flag, utility: Utility) -> bool:
    """`-n{1,2}` is two flags, `-n {1,2}` one flag and an operand: whether the canonical form keeps them as they are."""
    name = canonical_name(flag, utility)
    entry = utility.flag(name)
    joined = utility.syntax == "dd" or name.startswith("--") or bool(entry and entry.optional)
    return joined == (flag.style != "separate") and (not joined or name == flag.name)


def _as_written(command: Command, piped: bool) -> list[str]:
    """Words in their order, for what is not known well enough to be moved."""
    last = command.arguments[-1] if command.arguments else None
    if isinstance(last, Inner):
        before = command.words[1 : len(command.words) - len(last.command.words)]
        return [*map(_word, before), *_invocation(last.command, piped)]
    return [_word(word) for word in command.words[1:]]


def _arranged(command: Command, utility: Utility, name: str, piped: bool) -> list[str]:
    """Flags in order, then operands, then the inner command."""
    flags = [a for a in command.arguments if isinstance(a, Flag)]
    rest: list[Argument] = [a for a in command.arguments if not isinstance(a, Flag)]
    if keeps_order(name, flags):
        texts = [name]
        for argument in command.arguments:
            if isinstance(argument, Flag):
                texts += _flag(canonical_name(argument, utility), argument, utility)
            else:
                texts += _rest(name, [argument], piped)
        return texts
    flags, rest = single_pattern(utility, flags, rest)
    written = [(n, _flag(n, flag, utility)) for flag in flags for n in [canonical_name(flag, utility)]]
    if name in SPELLINGS:
        name, extra = SPELLINGS[name]
        written.append((extra, [extra]))
    written = drop_defaults(name, written)
    if name == "ls" and piped and not {n for n, _ in written} & ONE_LINE_EACH:
        written = [(n, texts) for n, texts in written if n != "-1"]
    return [name, *in_order(name, utility, written), *_rest(name, rest, piped)]


def _rest(name: str, rest: list[Argument], piped: bool) -> list[str]:
    """Operands, `--` where it is needed, and what the command runs."""
    words = [a.word for a in rest if isinstance(a, Operand)]
    if name == "echo" and len(words) == len(rest) > 1 and all(map(is_fixed, words)):
        return [quote(" ".join(w.value or "" for w in words))]
    out: list[str] = []
    for index, argument in enumerate(rest):
        if isinstance(argument, Operator):
            after = rest[index + 1 :]
            if argument.text != "--" or any(not isinstance(a, Operand) or a.word.lead.startswith("-") for a in after):
                out.append(argument.text)
        elif isinstance(argument, Operand):
            out.append(_typed(argument.word, argument.type))
        elif isinstance(argument, Inner):
            texts = _invocation(argument.command, piped)
            out += [] if name == "xargs" and texts == ["echo"] else texts
        elif isinstance(argument, InnerScript):
            out += _inner_script(argument)
    return out


def _inner_script(argument: InnerScript) -> list[str]:
    """ssh host ls -l -> ssh host 'ls -l'."""
    if argument.script is None or not all(map(is_fixed, argument.words)):
        return [_word(word) for word in argument.words]
    text = canonical_text(argument.script, " ".join(word.value or "" for word in argument.words))
    return [_word(word) for word in argument.words] if text.startswith("-") else [quote(text)]


def _with_braces(command: Command) -> Command:
    """xargs -I FILE mv FILE x -> xargs -I {} mv {} x, where {} does not mean itself already."""
    inner = next((a.command for a in command.arguments if isinstance(a, Inner)), None)
    marks = [f for f in command.arguments if isinstance(f, Flag) and f.name in ("-I", "-i", "--replace") and f.values]
    mark = marks[0].values[0].value if len(marks) == 1 else None
    if not inner or not mark or mark[0] == "-" or mark == "{}" or any("{}" in word.text for word in inner.words):
        return command
    outer = len(command.words) - len(inner.words)
    words = [_marked(w, mark) if i >= outer else w for i, w in enumerate(command.words)]
    at = next((i for i, w in enumerate(words[:outer]) if w is marks[0].values[0] or _carries(w, mark)), 0)
    words[at] = _marked(words[at], mark)
    return Command(
        command.start, command.end, command.name, command.utility, tuple(words), reread(tuple(words)),
        command.assignments, command.redirects,
    )  # fmt: skip


def _carries(word: Word, mark: str) -> bool:
    """`-IFILE`, `-0iFILE`, `--replace=FILE`"""
    return word.lead.startswith("-") and (word.value or "").endswith(mark)


def _marked(word: Word, mark: str) -> Word:
    parts = tuple(Literal(p.text.replace(mark, "{}"), p.quoted) if isinstance(p, Literal) else p for p in word.parts)
    value = None if word.value is None else word.value.replace(mark, "{}")
    return Word(word.text, word.start, word.end, parts, value)


def _flag(name: str, flag: Flag, utility: Utility) -> list[str]:
    entry = utility.flag(name)
    if flag.inner:
        closer = "\\;" if flag.closer == ";" else flag.closer
        return [name, *_invocation(flag.inner, piped=False), *([closer] if closer else [])]
    if flag.script and flag.values[0].value is not None:
        return [name, quote(canonical_text(flag.script, flag.values[0].value))]
    if not flag.values:
        return [name, "{}"] if (utility.name, name) == ("xargs", "-I") else [name]
    kinds = (*flag.types, *[""] * len(flag.values))
    values = [_typed(word, kind) for word, kind in zip(flag.values, kinds, strict=False)]
    if utility.syntax == "dd" or name.startswith("--"):
        return [f"{name}={values[0]}", *values[1:]]
    if entry and entry.optional:
        return [name + values[0]]
    return [name, *values]


def _typed(word: Word, kind: str) -> str:
    """0644 -> 644 where it is a permission."""
    value = word.value
    if kind == "Permission" and value and (octal := OCTAL.fullmatch(value)):
        return octal[1] + octal[2]
    return _word(word)


def _find(command: Command, utility: Utility) -> list[str]:
    options: list[str] = []
    paths: list[str] = []
    rest: list[Argument] = []
    for argument in command.arguments:
        if isinstance(argument, Operand):
            paths.append(_path(argument.word))
        elif isinstance(argument, Flag) and FIND_OPTION.fullmatch(argument.name) and not rest and not paths:
            options.append(argument.name)
        else:
            rest.append(argument)
    out = [*options, *(paths or ["."])]
    if not rest:
        return out
    expression = read_expression(rest)
    if expression is None:
        return _as_written(command, piped=False)

    def write(flag: Flag) -> list[str]:
        return _flag(canonical_name(flag, utility), flag, utility)

    leading, body = tidy(expression, lambda node: " ".join(_expression(node, write)))
    out += [text for flag in leading for text in write(flag)]
    return out + (_expression(body, write, bool(leading) and isinstance(body, (Any, Comma))) if body else [])


def _path(word: Word) -> str:
    return SAME_PATHS.get(word.text, "") or _word(word)


def _expression(node: Expression, write: Write, inside: bool = False) -> list[str]:
    if isinstance(node, Test):
        return write(node.flag)
    if isinstance(node, Not):
        return ["!", *_expression(node.body, write, True)]
    between = {All: [], Any: ["-o"], Comma: [","]}[type(node)]
    out: list[str] = []
    for index, item in enumerate(node.items):
        nested = not isinstance(item, (Test, Not, All)) or (isinstance(item, All) and isinstance(node, All))
        out += [*(between if index else []), *_expression(item, write, nested)]
    return ["\\(", *out, "\\)"] if inside else out
