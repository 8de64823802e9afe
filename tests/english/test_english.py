"""English requests become typed tokens whose spans tile the text."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.english.tokens import CONSTANT_KINDS, Token, tokenise


def constants(text: str) -> list[tuple[str, str]]:
    return [(token.text, token.kind) for token in tokenise(text) if token.kind in CONSTANT_KINDS]


def words(text: str) -> list[str]:
    return [token.text for token in tokenise(text) if token.kind == "word"]


def assert_tiles(text: str, tokens: list[Token]) -> None:
    """Every span shows its token, spans are in order, and only white space lies between them."""
    done = 0
    for token in tokens:
        assert text[token.start : token.end] == token.text != ""
        assert not text[done : token.start].strip()
        assert token.kind in CONSTANT_KINDS | {"word", "mark"}
        done = token.end
    assert not text[done:].strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "find all *.py files under /var/log larger than 10MB modified in the last 3 days owned by root",
            [("*.py", "glob"), ("/var/log", "path"), ("10MB", "size"), ("3 days", "timespan")],
        ),
        ("chmod 755 run.sh", [("755", "permission"), ("run.sh", "file")]),
        ('copy "my file.txt" to bob@host:/tmp', [('"my file.txt"', "string"), ("bob@host:/tmp", "user_host")]),
        ("set rwxr-xr-x, u+x and go-w", [("rwxr-xr-x", "permission"), ("u+x", "permission"), ("go-w", "permission")]),
        ("u=rw,g=r,o= on it", [("u=rw,g=r,o=", "permission")]),
        ("from 2014-08-01 to Aug 15 2014", [("2014-08-01", "date"), ("Aug 15 2014", "date")]),
        ("the 15th of August, 2014 or March 2007", [("15th of August, 2014", "date"), ("March 2007", "date")]),
        ("modified yesterday at 10:30 pm", [("yesterday", "date"), ("10:30 pm", "time")]),
        ("echo $HOME ${USER} $1 $?", [(name, "variable") for name in ("$HOME", "${USER}", "$1", "$?")]),
        ("cd ~/docs, then ~ and ..", [("~/docs", "path"), ("~", "path"), ("..", "path")]),
        ("get https://example.org/a?b=c.", [("https://example.org/a?b=c", "url")]),
        ("a.txt, b.txt and c.txt", [("a.txt", "file"), ("b.txt", "file"), ("c.txt", "file")]),
        ("pack (a.tar.gz,b.log.2) now", [("a.tar.gz", "file"), ("b.log.2", "file")]),
        ("all .py files and .bashrc", [(".py", "extension"), (".bashrc", "file")]),
        ("{a,b}.txt *.[ch] file{1..3}", [("{a,b}.txt", "glob"), ("*.[ch]", "glob"), ("file{1..3}", "glob")]),
        ("ping 10.0.0.1 and example.com", [("10.0.0.1", "user_host"), ("example.com", "user_host")]),
        ("use -r or --color=auto", [("-r", "option"), ("--color=auto", "option")]),
        ("match .*\\.txt and ^foo$", [(".*\\.txt", "regex"), ("^foo$", "regex")]),
        ("in my_db on eth0 for JAVA_HOME", [("my_db", "name"), ("eth0", "name"), ("JAVA_HOME", "variable")]),
        ("the first 100 lines", [("100", "number")]),
        ("files with mode 100", [("100", "permission")]),
        ("permissions of the first 100 files", [("100", "number")]),
        ("older than 10m", [("10m", "timespan")]),
        ("larger than 10m", [("10m", "size")]),
        ("'it's here' and `this'", [("'it's here'", "string"), ("`this'", "string")]),
        ("“curly” and ‘single’", [("“curly”", "string"), ("‘single’", "string")]),
        ("read/write files/directories in src/main", [("src/main", "path")]),
        ("search . for C:\\temp", [(".", "path"), ("C:\\temp", "path")]),
        ("all files in the / directory", [("/", "path")]),
        ("mp3 and utf-8, md5", []),
    ],
)
def test_constants_are_found_and_typed(text: str, expected: list[tuple[str, str]]) -> None:
    assert constants(text) == expected


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("five", "number", "5"),
        ("twenty-five", "number", "25"),
        ("two hundred", "number", "200"),
        ("1,000", "number", "1000"),
        ("3rd", "number", "3"),
        ("7*24", "number", "168"),
        ("2 GB", "size", "2G"),
        ("1.5 GiB", "size", "1.5G"),
        ("10k", "size", "10K"),
        ("ten megabytes", "size", "10M"),
        ("100 bytes", "size", "100B"),
        ("five days", "timespan", "5d"),
        ("7-day", "timespan", "7d"),
        ("30 mins", "timespan", "30m"),
        ("7*24 hours", "timespan", "168h"),
        ("2 months", "timespan", "2mo"),
        ("Aug 15 2014", "date", "2014-08-15"),
        ("15 Aug 2014", "date", "2014-08-15"),
        ("August 15th", "date", "08-15"),
        ("5pm", "time", "17:00"),
        ("12:05 am", "time", "00:05"),
        ("noon", "time", "12:00"),
        ("'a b'", "string", "a b"),
        ("/tmp", "path", "/tmp"),
    ],
)
def test_value_is_the_constant_in_a_plain_spelling(text: str, kind: str, value: str) -> None:
    assert tokenise(text) == [Token(text, kind, 0, len(text), value)]


def test_apostrophes_belong_to_their_word() -> None:
    assert " ".join(words("don't touch the user's or users' files")) == "don't touch the user's or users files"


def test_ago_and_last_stay_words_because_they_say_which_way() -> None:
    assert words("in the last 5 days, or 5 days ago") == ["in", "the", "last", "or", "ago"]


def test_a_span_without_a_number_is_one_unit() -> None:
    tokens = [
        token for token in tokenise("more than a day ago, within an hour, the last week") if token.kind == "timespan"
    ]
    assert [token.value for token in tokens] == ["1d", "1h", "1w"]


def test_one_is_a_number_before_a_noun_and_a_word_elsewhere() -> None:
    assert constants("one level below each one of them") == [("one", "number")]


def test_unbalanced_quotes_are_marks() -> None:
    tokens = tokenise('say "hello\nand "bye"')
    assert [(token.text, token.kind) for token in tokens if token.kind != "word"] == [
        ('"', "mark"),
        ('"bye"', "string"),
    ]


def test_sentence_marks_do_not_stick_to_constants() -> None:
    assert constants("Delete /tmp/a.log. Then (if any) b.log!") == [("/tmp/a.log", "path"), ("b.log", "file")]


def test_final_dot_ends_the_sentence_unless_a_place_is_asked_for() -> None:
    assert constants("list files .") == []
    assert constants("list files in .") == [(".", "path")]


@settings(deadline=None)
@given(st.text())
def test_any_text_tiles(text: str) -> None:
    assert_tiles(text, tokenise(text))


ODD = (
    """' " ` \\ ( ) [ ] { } , . .. / ~ * ? $ - = : @ ’ five days 10 MB Aug 2014 am 755 permission one a file.txt x_1"""
)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*ODD.split(), " ", "\n", "\ud800"]), max_size=30).map("".join))
def test_text_full_of_marks_tiles(text: str) -> None:
    assert_tiles(text, tokenise(text))


SLOW_TRAPS = """a . " 'a \\" ( ) {, _ a.1 a- 1,111 a@ * /a a. ` a1 u+x, $ a: [a 1* \\ a=' ${ a_ 1. e.g."""


@pytest.mark.parametrize("pattern", [*SLOW_TRAPS.split(), "five ", "May ", "mode 755 "])
def test_no_pattern_makes_a_long_text_crawl(pattern: str) -> None:
    """A quadratic pattern takes many times as long for this, twice what a request may have."""
    text = (pattern * 20_000)[:20_000] + "!"
    started = time.process_time()
    tokens = tokenise(text)
    assert time.process_time() - started < 1.2
    assert tokens[-1].end == len(text)


def test_import_is_light() -> None:
    """`dataclasses` alone costs more than the tokeniser may, numpy and the stemmer far more."""
    code = "import sys, sayso.english.tokens; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "dataclasses", "inspect", "snowballstemmer", "spellchecker", "tokenizers"} & set(loaded)
