"""The extractor: pages written for these tests, in the styles that real ones have, and text that is no page at all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.errors import SandboxFailed
from sayso.core.types import Outcome
from sayso.sandbox.fake import ScriptedSandbox
from sayso.targets.bash.knowledge.machine import MachineIndex, lookup
from sayso.targets.bash.knowledge.utilities import FlagEntry, Utility
from sayso.targets.bash.manual.escapes import without_fonts
from sayso.targets.bash.manual.heads import Form, read_head
from sayso.targets.bash.manual.help import ask_for_help
from sayso.targets.bash.manual.index import Unreadable, build_index, find_pages, read_source
from sayso.targets.bash.manual.options import Option
from sayso.targets.bash.manual.pages import Page, read_help, read_manual
from sayso.targets.bash.manual.placeholder import argument_type
from sayso.targets.bash.manual.roff import read_page

GNU = r""".\" made for a test
.TH PEEL 1
.SH NAME
peel \- take the skin off files
.SH SYNOPSIS
.B peel
[\fI\,OPTION\/\fR]... \fI\,SOURCE\/\fR... \fI\,DIRECTORY\/\fR
.SH DESCRIPTION
.TP
\fB\-a\fR, \fB\-\-all\fR
peel all.  Even stones.
.TP
\fB\-n\fR, \fB\-\-lines\fR=\fI\,NUM\/\fR
stop after NUM lines; may be given more than once
.TP
\fB\-F\fR, \fB\-\-classify\fR[=\fI\,WHEN\/\fR]
append a mark
.TP
\fB\-I\fR[\fI\,FMT\/\fR], \fB\-\-iso\-8601\fR[=\fI\,FMT\/\fR]
show dates
.TP
\fB\-c\fR, \fB\-C\fR \fI\,NUM\/\fR, \fB\-\-context\fR[=\fI\,NUM\/\fR]
lines around
.TP
\fB\-\-sort\fR=\fI\,WORD\/\fR
by WORD
.TP
\fB\-p\fR, \fB\-\-sort\fR=\fI\,peel\/\fR
by the peel
.TP
\fB\-\-[no\-]wash\fR
wash first
.SH EXAMPLES
.TP
\fB\-z\fR
is no flag of peel
"""
MDOC = r""".Dd May 1, 2020
.Dt CORE 1
.Os
.Sh NAME
.Nm core
.Nd look inside
.Sh SYNOPSIS
.Nm
.Op Fl 46Aq
.Op Fl o Ar file
.Ar host
.Op Ar command
.Sh DESCRIPTION
.Nm
looks.
.Bl -tag -width indent
.It Fl A
Enables
.Nm .
.It Fl -deep
Deep.
.It Fl b , Fl Fl brief
Short.
.It Fl i Ns Op Ar suffix
In place.
.It Xo
.Fl L
.Sm off
.Oo Ar bind_address : Oc
.Ar port
.Sm on
.Xc
Listen.
.It Fl e Em errexit
Stop.
.El
"""


def options(page: Page) -> dict[str, Option]:
    return {name: option for option in page.options for name in option.names}


def test_a_gnu_page() -> None:
    page = read_manual(GNU, "peel")
    found = options(page)
    assert (page.name, page.gloss) == ("peel", "take the skin off files")
    assert page.operands == ("Path…", "Directory")
    assert found["-a"].names == ("-a", "--all") and found["-a"].types == ()
    assert found["-a"].gloss == "peel all"
    assert found["--lines"].types == ("Number",) and found["-n"].repeated
    assert "-z" not in found


def test_optional_arguments_are_only_for_the_names_that_show_them() -> None:
    found = options(read_manual(GNU, "peel"))
    assert found["-F"].types == () and not found["-F"].optional
    assert found["--classify"].optional and found["--classify"].same == "-F"
    assert found["-I"] == found["--iso-8601"] and found["-I"].optional
    assert found["-c"].types == () and found["-C"].types == ("Number",) and not found["-C"].optional
    assert found["--context"].optional


def test_a_value_in_a_head_is_no_argument() -> None:
    found = options(read_manual(GNU, "peel"))
    assert found["-p"].types == ()
    assert found["--sort"].types == ("Word",)


def test_a_flag_and_its_negation_are_two() -> None:
    found = options(read_manual(GNU, "peel"))
    assert found["--wash"].names == ("--wash",)
    assert found["--no-wash"].names == ("--no-wash",)


def test_an_mdoc_page() -> None:
    page = read_manual(MDOC, "core")
    found = options(page)
    assert set(found) == {"-A", "--deep", "-b", "--brief", "-i", "-L", "-e", "-4", "-6", "-q", "-o"}
    assert found["-A"].gloss == "Enables core"
    assert found["-i"].types == ("String",) and found["-i"].optional
    assert found["-L"].types == ("Host",) and not found["-L"].optional
    assert found["-e"].types == ()
    assert found["-o"].types == ("File",)
    assert page.operands == ("Host", "Command?")


def test_other_styles() -> None:
    paragraphs = ".SH OPTIONS\n.PP\n\\-a, \\-\\-all\n.RS 4\nAll\\&.\n.RE\n.PP\n\\-m <msg>\n.RS 4\nText.\n.RE\n"
    found = options(read_manual(paragraphs, "x"))
    assert found["-a"].names == ("-a", "--all") and found["-m"].types == ("String",)
    hanging = ".SH OPTIONS\n.HP\n\\fB\\-q\\fR\n.IP\nquiet\n"
    assert list(options(read_manual(hanging, "x"))) == ["-q"]
    listing = ".SH OPTIONS\n.nf\n  -v, --verbose    say more\n  -o FILE          write there\n  make -j\n.fi\n"
    assert options(read_manual(listing, "x"))["-o"].types == ("File",)
    bold = '.SH OPTIONS\n.B \\-u\nunsorted\n.PP\n.BI \\-t " type"\nonly these\n'
    assert list(options(read_manual(bold, "x"))) == ["-u", "-t"]
    stacked = ".SH OPTIONS\n.TP\n.PD 0\n.B \\-a\n.TP\n.PD\n.B \\-\\-ascii\ntext\n.TP\n.B \\-b\nbinary\n"
    assert [o.names for o in read_manual(stacked, "x").options] == [("-a", "--ascii"), ("-b",)]
    titled = ".SH DESCRIPTION\ntext\n.SS \\-\\-route , \\-r\nRoutes.\n"
    assert options(read_manual(titled, "x"))["-r"].names == ("--route", "-r")


def test_own_macros_conditions_and_strings() -> None:
    source = (
        ".de OP1\n.TP\n.B \\\\$1\n..\n.ds NA apple\n.SH OPTIONS\n.ie n \\{\\\n.OP1 \\-a\n\\*(NA and more\n.\\}\n"
        ".el \\{\\\n.OP1 \\-t\n.\\}\n.if t .OP1 \\-u\n.ig\n.OP1 \\-i\n..\n.TS\n\\-x\n.TE\n"
    )
    page = read_manual(source, "x")
    assert [option.names for option in page.options] == [("-a",)]
    assert page.options[0].gloss == "apple and more"


def test_sub_commands_are_called_as_the_synopsis_writes_them() -> None:
    source = ".SH SYNOPSIS\n.B fruit pick\\-up\n[\\fB\\-\\-all\\fR] <\\fIpathspec\\fR>...\n"
    page = read_manual(source, "fruit-pick-up")
    assert (page.name, page.operands) == ("fruit pick-up", ("Path…",))
    assert read_manual(".SH SYNOPSIS\n.B fruit-pick\n", "fruit-pick").name == "fruit-pick"


def test_a_tab_ends_a_head() -> None:
    page = read_help("Usage: peel FILE\n\n\t-b LIST\tOnly these\n\t-v\tSay more\n", "peel")
    assert [(option.names, option.types) for option in page.options] == [(("-b",), ("Word",)), (("-v",), ())]


def test_the_title_is_what_stands_behind_the_names() -> None:
    assert read_manual(".SH NAME\npeel \\- peel, unpeel \\- skin - and all\n", "peel").gloss == "skin - and all"


def test_help_texts() -> None:
    text = """Usage: peel [OPTIONS] { SKIN | -e SKIN | -f FILE } FILE...
  -a, --all             all
      --colour[=WHEN]   in colour
  -k KEY                by key
      --a-very-long-option-name=DIR
                        there
  -1                    one
  -exec CMD ARG ;       run
"""
    page = read_help(text, "peel")
    found = options(page)
    assert set(found) == {"-a", "--all", "--colour", "-k", "--a-very-long-option-name", "-1", "-exec", "-e", "-f"}
    assert found["-f"].types == ("File",)
    assert found["--a-very-long-option-name"].types == ("Directory",)
    assert found["--colour"].optional
    assert page.operands == ("File…",)


@pytest.mark.parametrize(
    ("head", "forms"),
    [
        ("-a", [Form("-a")]),
        ("-f FILE, --file=FILE", [Form("-f", "FILE"), Form("--file", "FILE")]),
        ("-d|--delay <secs>", [Form("-d"), Form("--delay", "<secs>")]),
        ("-v or --verbose", [Form("-v"), Form("--verbose")]),
        ("-L [bind:]port", [Form("-L", "[bind:]port")]),
        ("--delay = SECS", [Form("--delay", "SECS")]),
        ("--charset[=]X", [Form("--charset", "X")]),
        ("-0 ... -3", [Form("-0"), Form("-1"), Form("-2"), Form("-3")]),
        ("-NUM", [Form("-NUM")]),
        ("-nNUM", [Form("-n", "NUM")]),
        ("-fprintf file format", [Form("-fprintf", "file format")]),
        ("+|-r [t]", [Form("-r", "t", True)]),
        ("-, -l, --login", [Form("-l"), Form("--login")]),
        ("--zones=ZONE,[ZONE,...]", [Form("--zones", "ZONE,[ZONE,...]")]),
        ("FILE", []),
        ("", []),
    ],
)
def test_heads(head: str, forms: list[Form]) -> None:
    found, end = read_head(head)
    assert found == forms
    assert end <= len(head)


@pytest.mark.parametrize(
    ("placeholder", "wording", "kind"),
    [
        ("FILE", "", "File"),
        ("<n>", "", "Number"),
        ("max-filesize", "", "Size"),
        ("DIR", "", "Directory"),
        ("script-file", "", "File"),
        ("never|auto|always", "", "Word"),
        ("MODE", "set permission bits to MODE", "Permission"),
        ("mode", "how to clean up", "Word"),
        ("N", "sleep for N seconds", "Timespan"),
        ("NAME", "remove variable from the environment", "Variable"),
        ("NAME=VALUE", "", "Assignment"),
        ("user:password", "", "String"),
        ("host[:port]", "", "Host"),
        ("xyzzy", "", "String"),
    ],
)
def test_types_of_arguments(placeholder: str, wording: str, kind: str) -> None:
    assert argument_type(placeholder, wording) == kind


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    for block in read_page(text):
        read_head(block.text)
    read_manual(text, "x")
    read_help(text, "x")


ROFF = st.lists(
    st.sampled_from(
        [
            ".TP", ".SH OPTIONS", ".SH SYNOPSIS", ".It Fl a Xo", ".Xc", ".RS", ".RE", ".IP", ".de X", "..", ".X -a",
            ".ie n \\{", ".el \\{\\", "\\}", ".if 'a'b' x", ".ds A \\*A", "\\*A\\f", "\\fB-a\\fR[", "-a, --b[=", "\\",
            "x [] [-] {", ".so x", ".nf", ".fi", ".TS", "\\N'99999999'", "\\h'", ".Op", ".Fl", ".Ar", ".Bl", "--", "-",
            "\\[u0000]", "'", ".", "\t-x  y",
        ]
    ),
    max_size=30,
)  # fmt: skip


@given(ROFF)
def test_any_page_can_be_read(lines: list[str]) -> None:
    source = "\n".join(lines)
    page = read_manual(source, "x")
    names = [name for option in page.options for name in option.names]
    assert len(names) == len(set(names))
    assert all(name.startswith("-") and without_fonts(name) == name for name in names)


def test_macros_that_call_themselves_end() -> None:
    read_page(".de A\n.A\n.A\n..\n.A\n")
    read_page(".ds A \\*A\\*A\n\\*A\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    section = tmp_path / "man" / "man1"
    section.mkdir(parents=True)
    (section / "peel.1.gz").write_bytes(gzip.compress(GNU.encode()))
    (section / "core.1").write_text(MDOC)
    (section / "broken.1.gz").write_bytes(gzip.compress(GNU.encode())[:60])
    (section / "wrong.1.gz").write_bytes(b"no archive")
    (section / "binary.1").write_bytes(b"\x7fELF\x00\x00")
    (section / "again.1").write_text(".so man1/peel.1\n")
    (section / "circle.1").write_text(".so circle.1\n")
    (section / "gone.1.gz").symlink_to("nowhere.1.gz")
    (section / "latin.1").write_bytes(b".SH OPTIONS\n.TP\n.B \\-\\-caf\xe9\ntext\n.TP\n.B \\-q\nquiet\n")
    (section / "huge.1").write_bytes(b"." * 9_000_000)
    (section / "README").write_text("no page")
    return tmp_path / "man"


def test_a_machine_is_indexed_and_problems_are_counted(folder: Path, tmp_path: Path) -> None:
    report = build_index([folder], tmp_path / "cache")
    assert report.pages == 10
    assert report.utilities == 4
    assert report.problems == {
        "broken archive": 2, "not text": 1, "redirections in a circle": 1, "link to nothing": 1, "too large": 1,
    }  # fmt: skip
    peel = MachineIndex(tmp_path / "cache").find("peel")
    assert peel is not None and peel.operands == ("Path…", "Directory")
    assert peel.index["-n"].arguments == ("Number",)
    again = MachineIndex(tmp_path / "cache").find("again")
    assert again is not None and again.flags == peel.flags


def test_pages_of_programs_that_are_not_installed_are_left_out(folder: Path, tmp_path: Path) -> None:
    (folder / "man1" / "core-slice.1").write_text(MDOC)
    report = build_index([folder], tmp_path / "cache", installed={"core", "latin"})
    assert (report.pages, report.utilities) == (3, 3)
    assert report.problems == {"its program is not installed": 8}
    assert MachineIndex(tmp_path / "cache").find("peel") is None


def test_only_changed_pages_are_read_again(folder: Path, tmp_path: Path) -> None:
    first = build_index([folder], tmp_path)
    before = first.path.read_bytes()
    assert build_index([folder], tmp_path).reused == first.utilities
    assert first.path.read_bytes() == before
    (folder / "man1" / "core.1").write_text(MDOC.replace(".It Fl A", ".It Fl Z"))
    changed = build_index([folder], tmp_path)
    assert changed.reused == first.utilities - 1
    core = MachineIndex(tmp_path).find("core")
    assert core is not None and "-Z" in core.index


def test_a_page_that_is_gone_leaves_the_index(folder: Path, tmp_path: Path) -> None:
    build_index([folder], tmp_path)
    (folder / "man1" / "core.1").unlink()
    build_index([folder], tmp_path)
    assert MachineIndex(tmp_path).find("core") is None


@pytest.mark.parametrize(
    "damage",
    [b"", b"no json\n", b'{"version": 0}\n{"name": "peel", "gloss": "old"}\n', b'{"version": 1}\n{"name": "peel", \n'],
)
def test_a_damaged_index_is_made_again(folder: Path, tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "man-index.jsonl"
    path.write_bytes(damage)
    MachineIndex(tmp_path).find("peel")
    assert build_index([folder], tmp_path).reused == 0
    assert MachineIndex(tmp_path).find("peel") is not None


def test_pages_of_sub_commands_make_the_page_before_them_their_parent(folder: Path, tmp_path: Path) -> None:
    (folder / "man1" / "core-pick.1").write_text(".SH SYNOPSIS\n.B core pick\n[\\-x]\n")
    build_index([folder], tmp_path)
    core, pick = MachineIndex(tmp_path).find("core"), MachineIndex(tmp_path).find("core pick")
    assert core is not None and core.syntax == "subcommands"
    assert pick is not None and "-x" in pick.index


def test_no_index_knows_nothing(tmp_path: Path) -> None:
    assert MachineIndex(tmp_path).find("peel") is None


def test_sections_and_folders_have_an_order(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "man8"
    other.mkdir(parents=True)
    (other / "peel.8").write_text("")
    (other / "mend.8").write_text("")
    (folder / "man1" / "peel.1ssl").write_text("")
    pages = find_pages([folder, tmp_path / "other", tmp_path / "nowhere"])
    assert pages["peel"].name == "peel.1.gz"
    assert pages["mend"].name == "mend.8"
    assert "README" not in pages


def test_unreadable_sources_say_why(tmp_path: Path) -> None:
    (tmp_path / "page.1.zst").write_bytes(b"(\xb5/\xfd")
    with pytest.raises(Unreadable, match="zstd"):
        read_source(tmp_path / "page.1.zst")
    with pytest.raises(Unreadable, match="cannot be read"):
        read_source(tmp_path)


def test_programs_without_a_page_are_asked_in_the_sandbox(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "stone"
    program.write_text("")
    answer = "\n== sayso asks stone\nusage: stone [-q]\n  -h, --help  show this\n"
    sandbox = ScriptedSandbox(otherwise=Outcome(0, answer.encode(), b""))
    report = build_index([folder], tmp_path, sandbox=sandbox, programs={"stone": program, "peel": program})
    assert report.helped == 1
    stone = MachineIndex(tmp_path).find("stone")
    assert stone is not None and set(stone.index) == {"-h", "--help", "-q"}
    assert "</dev/null" in sandbox.asked[0].script and str(program) in sandbox.asked[0].script
    assert build_index([folder], tmp_path, sandbox=sandbox, programs={"stone": program}).helped == 0
    assert len(sandbox.asked) == 1, "a program that has not changed is not asked again"


def test_nothing_is_asked_without_a_sandbox(folder: Path, tmp_path: Path) -> None:
    report = build_index([folder], tmp_path, programs={"stone": tmp_path / "stone", "peel": tmp_path})
    assert report.problems["no page, and no sandbox to ask --help in"] == 1
    assert MachineIndex(tmp_path).find("stone") is None


def test_a_broken_sandbox_is_counted() -> None:
    sandbox = ScriptedSandbox(otherwise=SandboxFailed("it broke", reason="it broke"))
    assert list(ask_for_help({"stone": Path("/usr/bin/stone")}, sandbox)) == [("stone", None, "it broke")]


def test_the_shipped_base_goes_first_and_the_machine_adds(folder: Path, tmp_path: Path) -> None:
    build_index([folder], tmp_path)
    machine = MachineIndex(tmp_path)
    ours = FlagEntry(("-n", "--lines"), ("Number",), gloss="ours")
    shipped = Utility("peel", "ours", "getopt", ("File",), (ours,), {"-n": ours, "--lines": ours})
    both = lookup("peel", machine, {"peel": shipped}.get)
    assert both is not None
    assert both.index["-n"] is ours and both.operands == ("File",)
    assert both.index["-a"].gloss == "peel all"
    assert lookup("core", machine, {"peel": shipped}.get) == machine.find("core")
    assert lookup("peel", None, {"peel": shipped}.get) is shipped
    assert lookup("nothing", machine, {"peel": shipped}.get) is None
