"""The command tree: what a reader sees in a one-liner, with positions that point at it."""

from __future__ import annotations

import pytest

from sayso.core.errors import BadInstruction
from sayso.targets.bash.forms.outline import outline
from sayso.targets.bash.syntax.parser import MAX_CHARACTERS, parse
from sayso.targets.bash.syntax.tree import Command, Flag, Operand, commands


@pytest.mark.parametrize(
    ("command", "tree"),
    [
        ("ls", "(ls)"),
        ("ls -la /tmp", "(ls [-l] [-a] /tmp)"),
        ("a | b |& c", "(list (a) | (b) |& (c))"),
        ("a | b | c", "(| (a) (b) (c))"),
        ("a && b || c", "(list (a) && (b) || (c))"),
        ("a; b & c", "(; (a) (b) (c))"),
        ("a && b | c", "(&& (a) (| (b) (c)))"),
        ("(a; b) | c", "(| (subshell (; (a) (b))) (c))"),
        ("{ a; b; } > f", "(group (; (a) (b)) {> f})"),
        ("! a | b", "(! (| (a) (b)))"),
        ("A=1 B=$(c) d", "({A=1} {B=$(c)} d)"),
        ("a > f 2>&1 < g", "(a {> f} {2>&1} {< g})"),
        ("find . -mtime -2>f", "(find . [-mtime -2] {> f})"),
        ("a -2>&1b c", "(a [-2] c {>&1b})"),
        ("a -2<<EOF\nx\nEOF", "(a [-2] {<< EOF})"),
        ("-2>f", "(-2 {> f})"),
        ("a | b > f", "(| (a) (b {> f}))"),
        ("a && b > f", "(&& (a) (b {> f}))"),
        ("echo x > f y", "(echo x y {> f})"),
        ("cat <<< word", "(cat {<<< word})"),
        ("cat <<EOF | sort > f && ls\nbody\nEOF", "(&& (| (cat {<< EOF}) (sort {> f})) (ls))"),
        ("diff <(sort a) >(b)", "(diff <(sort a) >(b))"),
        ("echo `a \\`b\\``", "(echo $(a $(b)))"),
        ('echo "$(a "$(b)")"', "(echo $(a $(b)))"),
        ("for i in 1 2; do a; b; done", "(for i 1 2 (; (a) (b)))"),
        ("while a; do b; done < f", "(while (a) (b) {< f})"),
        ("if a; then b; elif c; then d; else e; fi", "(if (a) (b) (c) (d) (e))"),
        ("case $x in a|b) c;; *) d;; esac", "(case $x a b * (c) (d))"),
        ("f() { a; }", "(function f (group (a)))"),
        ("[ -f x ] && a", "(&& (test -f x) (a))"),
        ("{}", "({})"),
    ],
)
def test_structure(command: str, tree: str) -> None:
    assert outline(parse(command)) == tree


@pytest.mark.parametrize(
    ("command", "tree"),
    [
        ("tar -xzf a.tgz", "(tar [-x] [-z] [-f a.tgz])"),
        ("tar xzf a.tgz b", "(tar [-x] [-z] [-f a.tgz] b)"),
        ("tar cf a.tar -C d .", "(tar [-c] [-f a.tar] [-C d] .)"),
        ("head -n5 f", "(head [-n 5] f)"),
        ("head -5 f", "(head [-n 5] f)"),
        ("tail -n +2", "(tail [-n +2])"),
        ("head --lines=5 --quiet f", "(head [--lines 5] [--quiet] f)"),
        ("sort -t, -k2,2 -rn f", "(sort [-t ,] [-k 2,2] [-r] [-n] f)"),
        ("cut -d' ' -f1", "(cut [-d ' '] [-f 1])"),
        ("grep -e a -e b f", "(grep [-e a] [-e b] f)"),
        ("sed -i.bak s/a/b/ f", "(sed [-i .bak] s/a/b/ f)"),
        ("sed -i s/a/b/ f", "(sed [-i] s/a/b/ f)"),
        ("kill -9 1", "(kill [-s 9] 1)"),
        ("kill -TERM 1", "(kill [-s TERM] 1)"),
        ("chmod -x f", "(chmod -x f)"),
        ("chmod -R u+x f", "(chmod [-R] u+x f)"),
        ("ps aux", "(ps [a] [u] [x])"),
        ("ps -ef", "(ps [-e] [-f])"),
        ("dd if=a of=b bs=1M", "(dd [if a] [of b] [bs 1M])"),
        ("echo -n -x y", "(echo [-n] -x y)"),
        ("echo -- -n", "(echo -- -n)"),
        ("rm -- -f", "(rm -- -f)"),
        ("seq -5 5", "(seq -5 5)"),
        ("test -f a -a b -nt c", "(test [-f a] -a b -nt c)"),
        ("date +%F -d now", "(date +%F [-d now])"),
        ("fold -b16", "(fold [-b] [-w 16])"),
        ("somecmd -abc --x=1 y", "(somecmd [-abc] [--x 1] y)"),
    ],
)
def test_flags_of_every_style(command: str, tree: str) -> None:
    assert outline(parse(command)) == tree


@pytest.mark.parametrize(
    ("command", "tree"),
    [
        ("find", "(find)"),
        ("find a b -name x", "(find a b [-name x])"),
        ("find -L . -type d", "(find [-L] . [-type d])"),
        ("find . ! \\( -name a -o -name b \\) -a -empty", "(find . ! ( [-name a] -o [-name b] ) -a [-empty])"),
        ("find . -exec rm -f {} \\; -print", "(find . [-exec (rm [-f] {}) ;] [-print])"),
        ("find . -exec grep x {} +", "(find . [-exec (grep x {}) +])"),
        ("find . -exec sh -c 'a | b' _ {} ';'", "(find . [-exec (sh [-c (| (a) (b))] _ {}) ;])"),
        ("find . -newermt '1 day ago' -fprintf f %p", "(find . [-newermt '1 day ago'] [-fprintf f %p])"),
        ("xargs", "(xargs)"),
        ("xargs -0 -n1 rm -f", "(xargs [-0] [-n 1] (rm [-f]))"),
        ("xargs -I{} sh -c 'echo {}'", "(xargs [-I {}] (sh [-c (echo {})]))"),
        ("sudo -u www rm x", "(sudo [-u www] (rm x))"),
        ("sudo A=1 env -i B=2 rm x", "(sudo A=1 (env [-i] B=2 (rm x)))"),
        ("nohup nice -n 5 timeout 3 time ls -l", "(nohup (nice [-n 5] (timeout 3 (time (ls [-l])))))"),
        ("ssh -p 22 me@host ls -l '|' wc", "(ssh [-p 22] me@host (| (ls [-l]) (wc)))"),
        ("watch -n 1 'a; b'", "(watch [-n 1] (; (a) (b)))"),
        ("bash -xc 'a' arg", "(bash [-x] [-c (a)] arg)"),
        ("sh -c 'not ( bash'", "(sh [-c 'not ( bash'])"),
    ],
)
def test_find_and_commands_that_run_others(command: str, tree: str) -> None:
    assert outline(parse(command)) == tree


def test_words_lose_their_quotes_but_not_their_meaning() -> None:
    (command,) = commands(parse("""echo a'b'"c"\\ d "$x y" *.c '*.c' $'t\\tn' "\\$\\a" """))
    assert [word.value for word in command.words] == ["echo", "abc d", None, "*.c", "*.c", "t\tn", "$\\a"]


def test_a_variable_after_a_slash_is_a_variable() -> None:
    """The grammar takes the second dollar of `$a/$b/c` for text."""
    (command,) = commands(parse("ls $a/$b/c"))
    assert command.words[1].value is None
    assert [part.text for part in command.words[1].parts] == ["$a", "/", "$b", "/c"]  # type: ignore[union-attr]


def test_positions_point_at_the_characters() -> None:
    text = "  echo é | find . -name 'x y' | head -n5 && sh -c 'rm a'"
    for command in commands(parse(text)):
        if command.name:
            assert text[command.name.start : command.name.end] == command.name.text
        for argument in command.arguments:
            if isinstance(argument, Operand):
                assert text[argument.word.start : argument.word.end] == argument.word.text
    assert [c.utility for c in commands(parse(text))] == ["echo", "find", "head", "sh", "rm"]


def test_positions_of_flags_with_values() -> None:
    text = "sort -rk 2 f | head -n5 --quiet"
    flags = [a for c in commands(parse(text)) for a in c.arguments if isinstance(a, Flag)]
    assert [text[flag.start : flag.end] for flag in flags] == ["-r", "k 2", "-n5", "--quiet"]


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("ls |", None),
        ("ls (", 3),
        ("find . -name 'x", None),
        ("a && || b", None),
        ("", 0),
        ("   ", 0),
        ("# c", 0),
        ("( )", 1),
    ],
)
def test_what_is_not_bash_is_refused(text: str, offset: int | None) -> None:
    with pytest.raises(BadInstruction) as caught:
        parse(text)
    assert 0 <= caught.value.offset <= len(text)
    assert offset is None or caught.value.offset == offset


@pytest.mark.parametrize(
    "text",
    [
        "(" * 500 + "ls" + ")" * 500,
        "$(" * 500 + "ls" + ")" * 500,
        "echo " + '"$(echo ' * 200 + "x" + ')"' * 200,
        "if a; then " * 300 + "b" + "; fi" * 300,
        "x" * (MAX_CHARACTERS + 1),
        "ls \0",
        "ls \ud800",
    ],
    ids=["subshells", "substitutions", "strings", "ifs", "long", "nul", "surrogate"],
)
def test_depth_and_length_have_limits_with_clear_errors(text: str) -> None:
    with pytest.raises(BadInstruction):
        parse(text)


@pytest.mark.parametrize("link", [" && ", " | ", "; ", " || ", "\n"])
def test_long_chains_are_no_deep_nesting(link: str) -> None:
    assert sum(1 for _ in commands(parse(link.join(["ls"] * 700)))) == 700


def test_sudo_sudo_and_brackets_of_find_do_not_overflow() -> None:
    with pytest.raises(BadInstruction):
        parse("sudo " * 900 + "ls")
    assert isinstance(parse("find . " + "\\( " * 1000).items[0], Command)
