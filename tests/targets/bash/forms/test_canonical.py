"""The canonical form: equal for commands that mean the same, different for those that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import BadInstruction
from sayso.targets.bash.language import normalise
from sayso.targets.bash.review.page import examples


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm -rf x", "rm -f -r x"),
        ("rm x --recursive --force", "rm -f -r x"),
        ("head -5 f", "head -n 5 f"),
        ("head --lines 5 f", "head -n 5 f"),
        ("head -n 10 f", "head f"),
        ("head -n{1,2} f", "head -n{1,2} f"),
        ("head -n {1,2} f", "head -n {1,2} f"),
        ("grep --include=*.{c,h} x .", "grep --include=*.{c,h} x ."),
        ("CO\\UNT=$(ls)", "'COUNT'=$(ls)"),
        ("cat ==", "cat '=='"),
        ("sort -k1,1 -t , f", "sort -k 1,1 -t , f"),
        ("sort f | uniq", "sort f | uniq"),
        ("ls | sort | uniq", "ls | sort -u"),
        ("ls -1 | wc -l", "ls | wc -l"),
        ("ls -1", "ls -1"),
        ('grep "foo" f', "grep foo f"),
        ("grep --ignore-case -e 'a b' f", "grep -i 'a b' f"),
        ("egrep 'a|b' f", "grep -E 'a|b' f"),
        ("sed -r 's/a/b/' f", "sed -E s/a/b/ f"),
        ("sed --in-place=.bak 's/a/b/' f", "sed -i.bak s/a/b/ f"),
        ("tar xvzf a.tgz", "tar -f a.tgz -v -x -z"),
        ("find", "find ."),
        ("find ./ -print", "find ."),
        ("find . -type f -name x", "find . -name x -type f"),
        ("find . -name x -a -not -type d -print", "find . ! -type d -name x"),
        ("find . \\( -name b -or -name a \\) -print", "find . -name a -o -name b"),
        ("find . -type f -maxdepth 2", "find . -maxdepth 2 -type f"),
        ("find . -maxdepth 1 \\( -name a -o -name b \\)", "find . -maxdepth 1 \\( -name a -o -name b \\)"),
        ("find . -wholename '*x' -perm 0644", "find . -path '*x' -perm 644"),
        ("find . -name '*' -type f", "find . -type f"),
        ("find . -exec rm '{}' ';'", "find . -exec rm {} \\;"),
        ("find -E . -regex '.*x' -print", "find -E . -regex '.*x'"),
        ("xargs -i mv {} x", "xargs -I {} mv {} x"),
        ("xargs -I FILE mv FILE FILE.bak", "xargs -I {} mv {} {}.bak"),
        ("xargs echo", "xargs"),
        ("xargs --null -n1 rm", "xargs -0 -n 1 rm"),
        ("/usr/bin/find . -delete", "find . -delete"),
        ("a 1> f 2>&1", "a &>f"),
        ("a |& b", "a 2>&1 | b"),
        ("echo `date`", "echo $(date)"),
        ("echo hello   world", "echo 'hello world'"),
        ('echo "${x}" ${y}z', 'echo "$x" ${y}z'),
        ("rm -- x", "rm x"),
        ("rm -- -x", "rm -- -x"),
        ("ps xau", "ps aux"),
        ("dd of=b if=a", "dd if=a of=b"),
        ("ssh h ls -l", "ssh h 'ls -l'"),
        ("sh -c 'rm -rf x'", "sh -c 'rm -f -r x'"),
        ("a;b;", "a; b"),
        ("  ls  ", "ls"),
        ("ls $'a\\tb'", "ls $'a\\tb'"),
        ("chmod 0755 f", "chmod 755 f"),
    ],
)
def test_canonical_form(command: str, expected: str) -> None:
    assert normalise(command) == expected
    assert normalise(expected) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rm -f -i x", "rm -i -f x"),  # the last one wins
        ("ls -t -S", "ls -S -t"),
        ("find . -name '*.c'", "find . -name *.c"),  # the shell expands the second
        ("find . -name a -delete", "find . -delete -name a"),
        ("find . -prune -name a", "find . -name a -prune"),
        ("find . -name a -o -print", "find . -print -o -name a"),
        ("find . -exec a {} +", "find . -exec a {} \\;"),
        ("find . -name a -o -name b -print", "find . \\( -name a -o -name b \\) -print"),
        ("find . -daystart -mtime 1", "find . -mtime 1 -daystart"),
        ("find a b", "find b a"),
        ("sort -k1 -k2", "sort -k2 -k1"),
        ("sed -e a -e b", "sed -e b -e a"),
        ("cp a b", "cp b a"),
        ('echo "$x"', "echo $x"),
        ("echo '$x'", "echo $x"),
        ("echo 'a  b'", "echo a b"),
        ("xargs -I {} a {}", "xargs a"),
        ("xargs -n 1 a", "xargs a"),
        ("tar -C a -cf x.tar b", "tar -cf x.tar b -C a"),
        ("grep -r x", "grep -R x"),
        ("a > f", "a >> f"),
        ("a && b", "a; b"),
        ("(a)", "{ a; }"),
        ("sort -f | uniq", "sort -f -u"),
        ("frob -b -a", "frob -a -b"),  # nothing is known of it
        ("head -n 5 -c 3 f", "head -c 3 -n 5 f"),
        ("find . -L", "find -L ."),
        ("ls a b", "ls 'a b'"),
        ("awk '{print $1}'", 'awk "{print $1}"'),
    ],
)
def test_different_meanings_stay_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize("command", [*examples(), "cat <<E\n$(x)\nE", "echo {a,b}c", "ls ~/x '~/x'", "a=(1 2)"])
def test_twice_is_once(command: str) -> None:
    once = normalise(command)
    assert normalise(once) == once


FLAGS = st.permutations(["-r", "-n", "-u", "-k 2", "-t ,", "-f"])


@given(FLAGS, st.booleans())
def test_order_of_flags_does_not_matter(flags: list[str], at_the_end: bool) -> None:
    words = ["sort", "file", *flags] if at_the_end else ["sort", *flags, "file"]
    assert normalise(" ".join(words)) == "sort -f -k 2 -n -r -t , -u file"


@given(st.permutations(["-type f", "-name a", "! -empty", "\\( -user x -o -user y \\)", "-size +1k"]))
def test_order_of_tests_does_not_matter(tests: list[str]) -> None:
    expected = "find . ! -empty -name a -size +1k -type f \\( -user x -o -user y \\)"
    assert sorted(normalise("find . " + " ".join(tests)).split()) == sorted(expected.split())
    assert normalise("find . " + " ".join(tests)) == normalise(expected)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), max_size=12))
def test_any_text_survives_quoting(text: str) -> None:
    quoted = "'" + text.replace("'", "'\\''") + "'"
    doubled = '"' + "".join("\\" + c if c in '$`"\\' else c for c in text) + '"'
    try:
        assert normalise(f"x {quoted}") == normalise(f"x {doubled}")
    except BadInstruction:
        assert any(not c.isprintable() for c in text)
