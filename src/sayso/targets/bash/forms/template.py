"""A command with its arguments replaced by their types: `grep -l TODO *.c` -> `grep -l Regex File` (NL2Bash §3.3).

Utilities, flags and closed arguments (`-type f`, `xargs -I {}`) stay; clustered flags are taken apart, as in the
templates that were judged for the paper; a sign before a size, time or count stays (`-mtime +Timespan`).
"""

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
from sayso.targets.bash.syntax.types import CLOSED

SIGNED = {"Timespan", "Size", "Number", "Permission"}
SPECIAL = {"(": "\\(", ")": "\\)", ";": "\\;"}


def template_of(script: Script) -> str:
    out: list[str] = []
    for item, separator in zip(script.items, script.separators, strict=True):
        out.append(_node(item))
        if separator:
            out.append(";" if separator == "\n" else separator)
    if out and out[-1] == ";":
        out.pop()
    return " ".join(out)


def _node(node: Node) -> str:
    if isinstance(node, Command):
        return _command(node)
    if isinstance(node, (Pipeline, Chain)):
        out = [_node(node.items[0])]
        for operator, item in zip(node.operators, node.items[1:], strict=True):
            out += [operator, _node(item)]
        return " ".join(out)
    if isinstance(node, Negation):
        return "! " + _node(node.body)
    if isinstance(node, Block):
        inside = template_of(node.body)
        body = f"( {inside} )" if node.kind == "(" else f"{{ {inside} ; }}"
        return " ".join([body, *map(_redirect, node.redirects)])
    return _compound(node)


def _compound(node: Compound) -> str:
    bodies = " ; ".join(template_of(body) for body in node.bodies)
    return " ".join([node.kind, bodies, *map(_redirect, node.redirects)]).strip()


def _command(command: Command) -> str:
    out = [f"Variable={_typed(a.value, 'String') if a.value else ''}" for a in command.assignments]
    if command.name:
        out.append(command.utility or _typed(command.name, "Utility"))
        out += _arguments(command.arguments)
    out += map(_redirect, command.redirects)
    return " ".join(out)


def _arguments(arguments: tuple[Argument, ...]) -> list[str]:
    """Letters without a dash stay one word: `ps aux`."""
    bundle = [a.name for a in arguments if isinstance(a, Flag) and a.style == "bundle" and a.name[0] != "-"]
    rest = [a for a in arguments if not (isinstance(a, Flag) and a.name in bundle and not a.values)]
    return ["".join(bundle)] * bool(bundle) + [_argument(argument) for argument in rest]


def _redirect(redirect: Redirect) -> str:
    lead = redirect.descriptor + redirect.operator
    if redirect.operator.startswith("<<"):
        return f"{lead} String"
    if redirect.operator.endswith("&"):
        return lead + (redirect.target.text if redirect.target else "")
    return f"{lead} {_typed(redirect.target, 'File')}" if redirect.target else lead


def _argument(argument: Argument) -> str:
    if isinstance(argument, Operand):
        return _typed(argument.word, argument.type)
    if isinstance(argument, Operator):
        return SPECIAL.get(argument.text, argument.text)
    if isinstance(argument, Inner):
        return _command(argument.command)
    if isinstance(argument, InnerScript):
        return f'"{template_of(argument.script)}"' if argument.script else "Script"
    return _flag(argument)


def _flag(flag: Flag) -> str:
    if flag.inner:
        return " ".join(filter(None, [flag.name, _command(flag.inner), SPECIAL.get(flag.closer, flag.closer)]))
    if flag.script:
        return f'{flag.name} "{template_of(flag.script)}"'
    if not flag.values:
        return flag.name
    values = [
        _typed(word, kind) for word, kind in zip(flag.values, (*flag.types, *[""] * len(flag.values)), strict=False)
    ]
    glue = "=" if flag.style == "equals" else " "
    return flag.name + glue + " ".join(values)


def _typed(word: Word, kind: str) -> str:
    """A word as its type; `$(…)` inside it is shown as the template of what it runs."""
    inside = [f"{s.opener} {template_of(s.body)} )" for s in scripts_in(word)]
    if inside and len(inside) == len(word.parts):
        return "".join(inside)
    value = word.value
    if kind in CLOSED and value is not None:
        return value
    if value == "{}":
        return value
    sign = value[0] if value and kind in SIGNED and value[0] in "+-/" and len(value) > 1 else ""
    return sign + (kind or "String") + "".join(inside)
