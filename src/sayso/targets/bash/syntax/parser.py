"""Shell text to the command tree, over tree-sitter-bash, whose quirks end here.

Its grammar lets a redirect wrap a whole pipeline, nests `&&` inside `|` after a here-document and takes words after a
redirect for targets; statements are therefore flattened to tokens in source order and built up again as Bash would.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from tree_sitter import Language, Parser
from tree_sitter import Node as Raw
from tree_sitter_bash import language as bash_grammar

from sayso.core.errors import BadInstruction
from sayso.targets.bash.knowledge.utilities import Find, find_utility
from sayso.targets.bash.syntax.documents import document
from sayso.targets.bash.syntax.quirks import back_quotes_shown, escaped_blanks_shown, far_letters_shown, signs_shown
from sayso.targets.bash.syntax.reader import utility_name
from sayso.targets.bash.syntax.tree import (
    MAX_DEPTH,
    Argument,
    Assignment,
    Block,
    Chain,
    Command,
    Compound,
    Literal,
    Negation,
    Node,
    Pipeline,
    Redirect,
    Script,
    Substitution,
    Word,
    with_redirects,
)
from sayso.targets.bash.syntax.utility import read_arguments
from sayso.targets.bash.syntax.words import Source, read_word, substitutions_below

MAX_CHARACTERS = 5_000
STATEMENTS = {
    "command", "pipeline", "list", "redirected_statement", "negated_command", "subshell", "compound_statement",
    "variable_assignment", "variable_assignments", "declaration_command", "unset_command", "test_command",
    "if_statement", "for_statement", "c_style_for_statement", "while_statement", "case_statement",
    "function_definition",
}  # fmt: skip
COMPOUNDS = {
    "if_statement", "for_statement", "c_style_for_statement", "while_statement", "case_statement",
    "function_definition", "test_command",
}  # fmt: skip
REDIRECTS = {"file_redirect", "herestring_redirect", "heredoc_redirect"}
LINKS = {"|", "|&", "&&", "||"}
SEPARATORS = {";", "&", ";;", ";&", ";;&"}

# One step of a flattened statement: a node, a link such as "|", "!", redirects, or words after a redirect.
Step = Node | str | Redirect | Word


@cache
def _parser() -> Parser:
    return Parser(Language(bash_grammar()))


def parse(text: str, find: Find = find_utility) -> Script:
    """The command tree; raises BadInstruction at the first character that is not Bash."""
    found = tree_or_error(text, find)
    if isinstance(found, BadInstruction):
        raise found.with_traceback(None)
    return found


@lru_cache(maxsize=256)
def tree_or_error(text: str, find: Find = find_utility) -> Script | BadInstruction:
    """The last readings are kept, so that risk, template, findings and notes of one command cost one reading."""
    try:
        return _read(text, find)
    except BadInstruction as error:
        return error.with_traceback(None)


def _read(text: str, find: Find) -> Script:
    if len(text) > MAX_CHARACTERS:
        message = f"the command has {len(text)} characters; at most {MAX_CHARACTERS} are read"
        raise BadInstruction(message, text[:80], MAX_CHARACTERS)
    if "\0" in text:
        raise BadInstruction("the command holds a NUL character", text, text.index("\0"))
    script = parse_at(text, 0, 0, None, find)
    if not script.items:
        raise BadInstruction("the command is empty", text, 0)
    return script


def parse_at(text: str, offset: int, depth: int, span: tuple[int, int] | None, find: Find = find_utility) -> Script:
    """Parse text that stands at an offset of a larger one; with `span`, every node carries that span instead."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise BadInstruction("the command is not valid Unicode", text, error.start) from None
    source = Source(text, data, offset, span)
    if "`" in text and re.search(r"`\s+`", text):
        data, columns = back_quotes_shown(text)
        source = Source(text, data, offset, span, columns)
    if "\\\r" in text:  # to the grammar this continues the line; to Bash the line ends
        raise BadInstruction("an escaped carriage return", text, text.index("\\\r"), "write the line ends as newlines")
    shown = far_letters_shown(escaped_blanks_shown(data))
    root = _parser().parse(shown).root_node
    if root.has_error and (other := signs_shown(shown)) != shown:
        root = _parser().parse(other).root_node
    if root.has_error:
        raise BadInstruction("this is not a Bash command", text, source.start(_first_error(root)))
    return _Builder(source, depth, find).script(root.children, root)


def reread(words: tuple[Word, ...]) -> tuple[Argument, ...]:
    """The arguments of a command whose words were changed."""
    return read_arguments(words, _Builder(Source("", b"", 0, None), 0).text, 0)


def _first_error(root: Raw) -> Raw:
    node = root
    while True:
        below = next((c for c in node.children if c.has_error or c.is_error or c.is_missing), None)
        if below is None or node.is_error:
            return node
        node = below


class _Builder:
    """Holds what every step of one reading needs: the source and how deep we are."""

    def __init__(self, source: Source, depth: int, find: Find = find_utility) -> None:
        self.source = source
        self.depth = depth
        self.find = find

    def below(self, raw: Raw) -> _Builder:
        """A builder one level further in."""
        if self.depth >= MAX_DEPTH:
            raise BadInstruction(
                f"nested more than {MAX_DEPTH} levels deep",
                self.source.text,
                self.source.start(raw),
                "split the command",
            )
        return _Builder(self.source, self.depth + 1, self.find)

    def script(self, children: list[Raw], outer: Raw) -> Script:
        items: list[Node] = []
        separators: list[str] = []
        for child in children:
            kind = child.type
            if kind in STATEMENTS:
                if len(separators) < len(items):
                    separators.append("\n")
                items.append(self.statement(child))
            elif kind in SEPARATORS and len(separators) < len(items):
                separators.append("&" if kind == "&" else ";")
            elif kind in REDIRECTS:
                steps = self.redirect(child)
                items.append(self.build(steps))
        if len(separators) < len(items):
            separators.append("")
        start = items[0].start if items else self.source.start(outer)
        end = items[-1].end if items else self.source.end(outer)
        return Script(start, end, tuple(items), tuple(separators))

    def statement(self, raw: Raw) -> Node:
        if raw.type == "command":
            return self.command(raw)
        steps: list[Step] = []
        self.flatten(raw, steps)
        return self.build(steps)

    def flatten(self, top: Raw, steps: list[Step]) -> None:
        """Statement -> steps in source order; iterative, because `a && b && …` nests to the left without limit."""
        stack = [top]
        while stack:
            raw = stack.pop()
            kind = raw.type
            if kind in LINKS or kind == "!":
                steps.append(kind)
            elif kind in ("pipeline", "list", "redirected_statement", "negated_command"):
                stack.extend(reversed(raw.children))
            elif kind == "heredoc_redirect":
                steps.extend(self.heredoc(raw, stack))
            elif kind in REDIRECTS:
                steps.extend(self.redirect(raw))
            elif kind == "variable_assignments":
                steps.append(self.command(raw))
            elif kind in STATEMENTS:
                steps.append(self.single(raw))

    def single(self, raw: Raw) -> Node:
        kind = raw.type
        if kind in ("command", "declaration_command", "unset_command"):
            return self.command(raw)
        if kind == "variable_assignment":
            assignment = self.assignment(raw)
            return Command(assignment.start, assignment.end, None, "", (), (), (assignment,))
        start, end = self.source.start(raw), self.source.end(raw)
        inside = self.below(raw)
        if kind == "compound_statement" and self.source.slice(raw) == "{}":  # to Bash a word like any other
            braces = Word("{}", start, end, (Literal("{}", False),), "{}")
            return Command(start, end, braces, "{}", (braces,))
        if kind == "subshell" or (kind == "compound_statement" and raw.children[0].type == "{"):
            body = inside.script(raw.children, raw)
            if not body.items:
                raise BadInstruction("nothing stands between the brackets", self.source.text, start)
            return Block(start, end, "(" if kind == "subshell" else "{", body)
        return inside.compound(raw, start, end)

    def build(self, steps: list[Step]) -> Node:
        """Steps -> a node: `|` binds tighter than `&&`, `!` covers its pipeline, redirects go to their command."""
        chain: list[Node] = []
        links: list[str] = []
        items: list[Node] = []
        pipes: list[str] = []
        negations = 0

        def close() -> None:
            nonlocal negations
            if not items:
                raise BadInstruction("an operator without a command beside it", self.source.text, self.source.offset)
            node = items[0] if len(items) == 1 else Pipeline(items[0].start, items[-1].end, tuple(items), tuple(pipes))
            if negations % 2:
                node = Negation(node.start, node.end, node)
            chain.append(node)
            items.clear()
            pipes.clear()
            negations = 0

        for step in steps:
            if isinstance(step, Redirect):
                if len(items) <= len(pipes):
                    items.append(Command(step.start, step.end, None, "", ()))
                items[-1] = with_redirects(items[-1], (step,), max(step.end, items[-1].end))
            elif isinstance(step, Word):
                if len(items) <= len(pipes):  # `-2>f`: the grammar sees a redirect alone
                    items.append(Command(step.start, step.end, None, "", ()))
                items[-1] = self.with_word(items[-1], step)
            elif step == "!":
                negations += 1
            elif isinstance(step, str):
                if step in ("&&", "||"):
                    close()
                    links.append(step)
                else:
                    pipes.append(step)
            else:
                items.append(step)
        close()
        if len(chain) == 1:
            return chain[0]
        return Chain(chain[0].start, chain[-1].end, tuple(chain), tuple(links))

    def with_word(self, node: Node, word: Word) -> Node:
        """`echo a > b c`: the c is one more argument of echo."""
        if not isinstance(node, Command):
            raise BadInstruction("a word that belongs to no command", self.source.text, word.start)
        return self.finish(
            node.name or word, (*node.words, word), node.assignments, node.redirects, node.start, word.end
        )

    def command(self, raw: Raw) -> Command:
        source = self.source
        words: list[Word] = []
        assignments: list[Assignment] = []
        redirects: list[Redirect] = []
        run: list[Raw] = []  # adjacent nodes that make up one word, such as `$"…"`

        def close() -> None:
            if run:
                words.append(read_word(source, run, self.inner))
                run.clear()

        plain = raw.type in ("command", "variable_assignments")
        for child in raw.children:
            kind = child.type
            if kind == "variable_assignment" and plain:
                assignments.append(self.assignment(child))
            elif kind in REDIRECTS:
                close()
                for step in self.redirect(child):
                    if isinstance(step, Redirect):
                        redirects.append(step)
                    elif isinstance(step, Word):
                        words.append(step)
            else:
                if run and child.start_byte != run[-1].end_byte:
                    close()
                if kind == "word" and b" " in (child.text or b"") and source.slice(child).split() == ["{", "}"]:
                    close()
                    words += self.braces(child)
                else:
                    run.append(child)
        close()
        name = words[0] if words else None
        return self.finish(name, tuple(words), tuple(assignments), tuple(redirects), source.start(raw), source.end(raw))

    def braces(self, raw: Raw) -> list[Word]:
        """`{ }`, one word to the grammar and two to Bash."""
        text, start = self.source.slice(raw), self.source.start(raw)
        width = 0 if self.source.span else len(text) - 1
        return [
            Word(brace, start + at, start + at + 1, (Literal(brace, False),), brace)
            for brace, at in (("{", 0), ("}", width))
        ]

    def finish(
        self,
        name: Word | None,
        words: tuple[Word, ...],
        assignments: tuple[Assignment, ...],
        redirects: tuple[Redirect, ...],
        start: int,
        end: int,
    ) -> Command:
        if name is None:
            return Command(start, end, None, "", words, (), assignments, redirects)
        arguments = read_arguments(words, self.text, self.depth, self.find)
        return Command(start, end, name, utility_name(name), words, arguments, assignments, redirects)

    def assignment(self, raw: Raw) -> Assignment:
        source = self.source
        children = raw.children
        name = source.slice(children[0])
        value = read_word(source, children[2:], self.inner) if len(children) > 2 else None
        operator = "+" if children[1].type == "+=" else ""
        inner = substitutions_below(source, children[0], self.inner, False) if children[0].child_count else ()
        return Assignment(name + operator, value, source.start(raw), source.end(raw), tuple(inner))

    def redirect(self, raw: Raw) -> list[Step]:
        source = self.source
        descriptor = operator = ""
        dashed: list[Word] = []
        start = source.start(raw)
        targets: list[list[Raw]] = []
        for child in raw.children:
            kind = child.type
            if kind == "file_descriptor" and source.slice(child).startswith("-"):
                dashed, start = self.dashed(child), source.end(child)
            elif kind == "file_descriptor":
                descriptor = source.slice(child)
            elif not operator:
                operator = kind
            elif targets and child.start_byte == targets[-1][-1].end_byte:
                targets[-1].append(child)
            else:
                targets.append([child])
        words = [read_word(source, target, self.inner) for target in targets]
        first = words[0] if words else None
        end = first.end if first else source.end(raw)
        return [*dashed, Redirect(descriptor, operator, first, start, end), *words[1:]]

    def dashed(self, raw: Raw) -> list[Word]:
        """`-mtime -2>out`: -2 is a number of a file to the grammar, and a word to Bash."""
        text, start, end = self.source.slice(raw), self.source.start(raw), self.source.end(raw)
        return [Word(text, start, end, (Literal(text, False),), text)]

    def heredoc(self, raw: Raw, stack: list[Raw]) -> list[Step]:
        """The redirect and the words after it; what else stands on its first line goes back on the stack."""
        source = self.source
        descriptor, operator, start = "", "<<", source.start(raw)
        target: Word | None = None
        inner: list[Substitution] = []
        words: list[Step] = []
        rest: list[Raw] = []
        for child in raw.children:
            kind = child.type
            if kind == "file_descriptor" and source.slice(child).startswith("-"):
                words, start = [*words, *self.dashed(child)], source.end(child)
            elif kind == "file_descriptor":
                descriptor = source.slice(child)
            elif kind in ("<<", "<<-"):
                operator = kind
            elif kind == "heredoc_start":
                target = read_word(source, [child], self.inner)
            elif kind == "heredoc_body":
                if target and not re.search(r"['\"\\\\]", target.text):
                    inner = document(source, child, self.inner, self.apart)
            elif kind in LINKS or kind in REDIRECTS or kind in STATEMENTS:
                rest.append(child)
            elif kind == "heredoc_end":  # the grammar takes any last words where the right ones are missing
                if target and source.slice(child).strip() != re.sub(r"['\"\\]", "", target.text):
                    raise BadInstruction("a here-document without its last line", source.text, source.start(child))
            else:
                words.append(read_word(source, [child], self.inner))
        stack.extend(reversed(rest))
        here = Redirect(descriptor, operator, target, start, source.end(raw), tuple(inner))
        return [here, *words]

    def apart(self, text: str, span: tuple[int, int]) -> Script:
        """A text that stands in no place of its own, one level further in."""
        if self.depth >= MAX_DEPTH:
            raise BadInstruction(f"nested more than {MAX_DEPTH} levels deep", self.source.text, span[0])
        return parse_at(text, 0, self.depth + 1, self.source.span or span, self.find)

    def compound(self, raw: Raw, start: int, end: int) -> Compound:
        """Gather the scripts inside, however the grammar nests them, and the words that they run over."""
        bodies: list[Script] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        named = raw.child_by_field_name("name") or raw.child_by_field_name("variable")
        self.gather([child for child in raw.children if child != named], bodies, words, redirects)
        first = raw.children[0].type
        kind = {"function_definition": "function", "test_command": "test"}.get(raw.type, first)
        name = self.source.slice(named) if named else ""
        return Compound(start, end, kind, name, tuple(bodies), tuple(words), tuple(redirects), self.source.slice(raw))

    def gather(self, children: list[Raw], bodies: list[Script], words: list[Word], redirects: list[Redirect]) -> None:
        run: list[Raw] = []

        def close() -> None:
            if run:
                bodies.append(self.script(run, run[0]))
                run.clear()

        for child in children:
            kind = child.type
            if kind in STATEMENTS or (run and kind in SEPARATORS):
                run.append(child)
                continue
            close()
            if kind in ("do_group", "elif_clause", "else_clause", "case_item"):
                self.below(child).gather(child.children, bodies, words, redirects)
            elif kind in REDIRECTS:
                redirects.extend(step for step in self.redirect(child) if isinstance(step, Redirect))
            elif child.is_named:
                words.append(read_word(self.source, [child], self.inner))
        close()

    def inner(self, raw: Raw, quoted: bool) -> Script:
        """The script inside a substitution. Back quotes with escapes inside are a text of their own."""
        text = self.source.slice(raw).strip()
        text = text[1:] if text.startswith("$`") else text
        if text[0] == "`" and "\\" in text:
            escapes = r"\\([$`\\\"])" if quoted else r"\\([$`\\])"
            self.below(raw)
            span = self.source.start(raw), self.source.end(raw)
            return parse_at(re.sub(escapes, r"\1", text[1:-1]), 0, self.depth + 1, span, self.find)
        return self.below(raw).script(raw.children[1:-1], raw)

    def text(self, text: str, offset: int, span: tuple[int, int] | None, depth: int) -> Script | None:
        """Shell text found inside a word, or None where it is not Bash."""
        if depth >= MAX_DEPTH:
            return None
        try:
            return parse_at(text, offset, depth + 1, self.source.span or span, self.find)
        except BadInstruction:
            return None
