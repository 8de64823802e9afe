"""The command tree as one line of text, for documents and for eyes: `(| (find . [-name '*.c']) (wc [-l]))`."""

from __future__ import annotations

from sayso.targets.bash.syntax.tree import (
    Argument,
    Block,
    Chain,
    Command,
    Compound,
    Flag,
    Inner,
    InnerScript,
    Negation,
    Node,
    Operand,
    Operator,
    Pipeline,
    Redirect,
    Script,
    Word,
    scripts_in,
)


def outline(script: Script) -> str:
    """Commands and connectives in round brackets, flags in square ones, redirects and assignments in braces."""
    inside = [_node(item) for item in script.items]
    background = "&" in script.separators
    if len(inside) == 1 and not background:
        return inside[0]
    return f"({'&' if background and len(inside) == 1 else ';'} {' '.join(inside)})"


def _node(node: Node) -> str:
    if isinstance(node, Command):
        return f"({_command(node)})"
    if isinstance(node, (Pipeline, Chain)):
        links = set(node.operators)
        if len(links) == 1:
            return f"({links.pop()} {' '.join(map(_node, node.items))})"
        rest = [f"{link} {_node(item)}" for link, item in zip(node.operators, node.items[1:], strict=True)]
        return f"(list {' '.join([_node(node.items[0]), *rest])})"
    if isinstance(node, Negation):
        return f"(! {_node(node.body)})"
    if isinstance(node, Block):
        name = "subshell" if node.kind == "(" else "group"
        return f"({' '.join([name, outline(node.body), *map(_redirect, node.redirects)])})"
    return _compound(node)


def _compound(node: Compound) -> str:
    texts = [node.kind, *([node.name] if node.name else []), *map(_word, node.words), *map(outline, node.bodies)]
    return f"({' '.join([*texts, *map(_redirect, node.redirects)])})"


def _command(command: Command) -> str:
    out = [f"{{{a.name}={_word(a.value) if a.value else ''}}}" for a in command.assignments]
    if command.name:
        out += [command.utility or _word(command.name), *map(_argument, command.arguments)]
    return " ".join([*out, *map(_redirect, command.redirects)])


def _redirect(redirect: Redirect) -> str:
    target = _word(redirect.target) if redirect.target else ""
    blank = "" if redirect.operator.endswith("&") else " "
    return f"{{{redirect.descriptor}{redirect.operator}{blank}{target}}}"


def _argument(argument: Argument) -> str:
    if isinstance(argument, Operand):
        return _word(argument.word)
    if isinstance(argument, Operator):
        return argument.text
    if isinstance(argument, Inner):
        return f"({_command(argument.command)})"
    if isinstance(argument, InnerScript):
        return outline(argument.script) if argument.script else " ".join(map(_word, argument.words))
    return _flag(argument)


def _flag(flag: Flag) -> str:
    if flag.inner:
        return f"[{flag.name} ({_command(flag.inner)}) {flag.closer}]"
    if flag.script:
        return f"[{flag.name} {outline(flag.script)}]"
    return f"[{' '.join([flag.name, *map(_word, flag.values)])}]"


def _word(word: Word) -> str:
    inside = [f"{s.opener[0]}{outline(s.body)}" for s in scripts_in(word)]
    return "".join(inside) if len(inside) == len(word.parts) and inside else word.text
