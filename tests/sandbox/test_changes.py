"""The list of changes: by hand for the odd cases, and against an independent account for random trees and edits."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.core.types import Change, FileSpec, Limits, Outcome
from sayso.sandbox.bubblewrap import BubblewrapSandbox
from sayso.sandbox.seen import READ_BYTES, digest_of_bytes

Run = Callable[..., Outcome]
pytestmark = pytest.mark.sandbox


def by_path(outcome: Outcome) -> dict[str, Change]:
    return {change.path: change for change in outcome.changes}


def test_created_changed_and_removed(run: Run) -> None:
    outcome = run(
        "echo new > c; echo more >> a; rm b; touch -d @5 a",
        FileSpec("a", b"one\n", mtime=1.25),
        FileSpec("b", b"two\n", mode=0o600, mtime=2.0),
    )
    changes = by_path(outcome)
    assert list(changes) == ["a", "b", "c"]
    assert changes["a"].how == "changed"
    assert changes["a"].before == FileSpec("a", b"one\n", mtime=1.25)
    assert changes["a"].after == FileSpec("a", b"one\nmore\n", mtime=5.0)
    assert changes["b"] == Change("b", "removed", FileSpec("b", b"two\n", mode=0o600, mtime=2.0), None)
    assert changes["c"].before is None
    assert changes["c"].after is not None
    assert changes["c"].after.content == b"new\n"


def test_times_and_modes_alone_are_changes(run: Run) -> None:
    outcome = run(
        "chmod 400 a; touch -d @77.5 b; chmod 700 d",
        FileSpec("a"),
        FileSpec("b"),
        FileSpec("d", kind="dir", mode=0o755),
    )
    assert [(change.path, change.how) for change in outcome.changes] == [
        ("a", "changed"),
        ("b", "changed"),
        ("d", "changed"),
    ]
    after = {path: change.after for path, change in by_path(outcome).items()}
    assert after["a"] == FileSpec("a", mode=0o400)
    assert after["b"] == FileSpec("b", mtime=77.5)


def test_reading_changes_nothing(run: Run) -> None:
    script = "cat a; cp a /dev/null; find . > /dev/null; exec 3<> a; : >> a; chmod 644 a; stat a"
    assert run(script, FileSpec("a", b"x"), FileSpec("d/e/f", b"y")).changes == ()


def test_a_folders_time_counts_where_it_says_something(run: Run) -> None:
    files = (FileSpec("d/x", b"1"), FileSpec("e/x", b"1"))
    assert list(by_path(run("touch d/new; sed -i s/1/2/ e/x", *files))) == ["d/new", "e/x"]
    assert list(by_path(run("touch d", *files))) == ["d"]


def test_changes_outside_the_work_folder_have_absolute_paths(run: Run) -> None:
    outcome = run("echo x > /tmp/t; echo x > /usr/local/bin/tool; echo y >> /var/log/l", FileSpec("/var/log/l", b"x"))
    assert list(by_path(outcome)) == ["/tmp/t", "/usr/local/bin/tool", "/var/log/l"]


def test_the_work_folder_itself_is_a_dot(run: Run) -> None:
    assert list(by_path(run("chmod 700 ."))) == ["."]


def test_a_folder_that_became_a_file_and_back(run: Run) -> None:
    outcome = run("rm -r d f; echo x > d; mkdir f; echo y > f/g", FileSpec("d/a/b", b"1"), FileSpec("f", b"2"))
    assert {path: change.how for path, change in by_path(outcome).items()} == {
        "d": "changed",
        "d/a": "removed",
        "d/a/b": "removed",
        "f": "changed",
        "f/g": "created",
    }


def test_a_renamed_folder(run: Run) -> None:
    outcome = run("mv a z", FileSpec("a/b/c", b"1", mtime=3.0))
    assert {(change.path, change.how) for change in outcome.changes} == {
        *((path, "removed") for path in ("a", "a/b", "a/b/c")),
        *((path, "created") for path in ("z", "z/b", "z/b/c")),
    }
    assert by_path(outcome)["z/b/c"].after == FileSpec("z/b/c", b"1", mtime=3.0)


def test_a_link_out_of_the_work_folder_is_a_link(run: Run) -> None:
    outcome = run("ln -s /etc/passwd l; ln -s / root; ln -s .. up; ln -s missing dangling")
    assert {
        path: change.after and (change.after.kind, change.after.content) for path, change in by_path(outcome).items()
    } == {
        "dangling": ("link", b"missing"),
        "l": ("link", b"/etc/passwd"),
        "root": ("link", b"/"),
        "up": ("link", b".."),
    }


def test_a_link_in_place_of_a_folder_is_not_followed(run: Run) -> None:
    """What lay in the folder is gone; what the link points to is nobody's business."""
    outcome = run("rm -r d; ln -s /etc d", FileSpec("d/passwd", b"mine"))
    changes = by_path(outcome)
    assert list(changes) == ["d", "d/passwd"]
    assert changes["d/passwd"].how == "removed"
    assert changes["d"].after is not None
    assert changes["d"].after.kind == "link"


def test_a_folder_in_place_of_a_link_does_not_read_through_it(run: Run) -> None:
    outcome = run("rm l; mkdir l; echo mine > l/passwd", FileSpec("l", b"/etc", kind="link"))
    changes = by_path(outcome)
    assert changes["l/passwd"].before is None
    assert changes["l/passwd"].how == "created"


def test_a_hard_link_out_of_the_work_folder_is_a_file(run: Run) -> None:
    outcome = run("ln /var/log/l mine; echo more >> mine", FileSpec("/var/log/l", b"log\n"))
    changes = by_path(outcome)
    assert list(changes) == ["/var/log/l", "mine"]
    assert {change.after.content for change in outcome.changes if change.after} == {b"log\nmore\n"}


def test_pipes_sockets_and_odd_names(run: Run) -> None:
    outcome = run(
        "mkfifo pipe; printf x > $'new\\nline'; printf x > $'\\xff\\xfe'; printf x > ' '; printf x > '-rf';"
        "/usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sock\")'"
    )
    changes = by_path(outcome)
    assert set(changes) == {"pipe", "sock", "new\nline", "\udcff\udcfe", " ", "-rf"}
    assert {changes[name].after.kind for name in ("pipe", "sock")} == {"other"}  # type: ignore[union-attr]


def test_a_pipe_can_be_put_in(run: Run) -> None:
    outcome = run("echo through > p & cat p; test -p p && echo pipe", FileSpec("p", kind="other", mode=0o644))
    assert outcome.stdout == b"through\npipe\n"


def test_a_sparse_file_of_a_terabyte(run: Run) -> None:
    outcome = run(
        "truncate -s 1T huge; printf end | dd of=huge seek=1T oflag=seek_bytes conv=notrunc status=none",
        file_bytes=2 << 40,
    )
    after = by_path(outcome)["huge"].after
    assert after is not None
    assert after.size == (1 << 40) + 3
    assert len(after.content) == 32


def test_a_long_file_is_read_back_as_its_digest(run: Run) -> None:
    size = READ_BYTES + 10
    outcome = run(f"head -c {size} /dev/zero | tr '\\0' x > long; head -c {READ_BYTES} /dev/zero > short")
    changes = by_path(outcome)
    assert changes["long"].after is not None
    assert changes["long"].after.content == digest_of_bytes(b"x" * size)
    assert changes["long"].after.size == size
    assert changes["short"].after is not None
    assert changes["short"].after.content == bytes(READ_BYTES)


def test_a_long_file_that_did_not_change_is_not_listed(run: Run) -> None:
    """Holes or zeros: the content is the same."""
    content = b"a" + bytes(READ_BYTES + 5)
    script = "cp --preserve=all --sparse=always long copy; mv copy long; touch -d @0 ."
    assert (
        run(script, FileSpec("long", content, mtime=9.0), FileSpec("keep")).changes
        == run("touch -d @0 .", FileSpec("keep")).changes
    )


def test_a_deep_tree(run: Run) -> None:
    outcome = run("mkdir -p $(printf 'd/%.0s' $(seq 300)); cd $(printf 'd/%.0s' $(seq 300)); echo x > bottom")
    assert len(outcome.changes) == 301
    assert max(outcome.changes, key=lambda change: len(change.path)).path == "d/" * 300 + "bottom"


def test_a_path_that_nobody_can_name_cuts_the_list(run: Run) -> None:
    """Deeper than any path may be long: the run counts as stopped by what it put out."""
    code = "import os\nfor i in range(100):\n    os.mkdir('n' * 200); os.chdir('n' * 200)"
    outcome = run(f"/usr/bin/python3 -c {shlex.quote(code)}")
    assert outcome.stopped == "output"
    assert 15 < len(outcome.changes) < 100


def test_what_nobody_may_read_is_read_back(run: Run) -> None:
    outcome = run("mkdir d; echo x > d/f; chmod 0 d/f; chmod 0 d")
    after = by_path(outcome)["d/f"].after
    assert after is not None
    assert (after.content, after.mode) == (b"x\n", 0)


def test_owners_in_the_list(run: Run) -> None:
    if os.geteuid() != 0:
        pytest.skip("files have other owners only where we are root")
    outcome = run(
        "rm -f theirs; mv ours moved", FileSpec("theirs", b"1", owner="bob"), FileSpec("ours", b"2", owner="root:staff")
    )
    changes = by_path(outcome)
    assert changes["theirs"].before == FileSpec("theirs", b"1", owner="bob")
    assert changes["moved"].after == FileSpec("moved", b"2", owner="root:staff")


NAMES = st.sampled_from(["a", "b", "c", "d e", "ä", "new\nline", "-x", "\udcff"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
CONTENTS = st.sampled_from([b"", b"x\n", b"yy", bytes(300)])
TIMES = st.sampled_from([0.0, 1.5, 1_500_000_000.0, 1_600_000_000.125])
FILES = st.lists(
    st.one_of(
        st.builds(FileSpec, PATHS, CONTENTS, mode=st.sampled_from([0o644, 0o600, 0o755]), mtime=TIMES),
        st.builds(FileSpec, PATHS, kind=st.just("dir"), mode=st.sampled_from([0o755, 0o700]), mtime=TIMES),
        st.builds(
            FileSpec,
            PATHS,
            st.sampled_from([b"a", b"/etc", b"../b"]),
            kind=st.just("link"),
            mode=st.just(0o777),
            mtime=TIMES,
        ),
    ),
    max_size=8,
)


@dataclass(frozen=True)
class Edit:
    """One shell command, which may well fail."""

    template: str
    first: str
    second: str

    def command(self) -> str:
        return self.template.format(shlex.quote(f"./{self.first}"), shlex.quote(f"./{self.second}"))


EDITS = st.lists(
    st.builds(
        Edit,
        st.sampled_from(
            [
                "printf new > {0}",
                "printf more >> {0}",
                "chmod 750 {0}",
                "mv -T {0} {1}",
                "mv {0} {1}",
                "rm {0}",
                "rm -r {0}",
                "ln -s {1} {0}",
                "ln {0} {1}",
                "mkdir {0}",
                "mkdir -p {0}",
                "touch -d @123.5 {0}",
                "touch -h -d @99 {0}",
                "cp -a {0} {1}",
                "rm -r {0} && mkdir {0}",
                "sed -i s/x/y/ {0}",
            ]
        ),
        PATHS,
        PATHS,
    ),
    max_size=8,
)

# An account kept by another program from within: every path under the work folder with kind, mode, time and content.
ACCOUNT = """
import os, stat, sys
for folder, folders, names in os.walk(b".", followlinks=False):
    for name in [*folders, *names]:
        path = os.path.join(folder, name)[2:]
        found = os.lstat(path)
        kind = stat.S_IFMT(found.st_mode)
        content = os.readlink(path) if stat.S_ISLNK(kind) else open(path, "rb").read() if stat.S_ISREG(kind) else b""
        row = [path.hex(), kind, stat.S_IMODE(found.st_mode), found.st_mtime_ns, content.hex()]
        sys.stdout.write(" ".join(map(str, row)) + "\\n")
print("---", flush=True)
"""
KINDS = {0o100000: "file", 0o040000: "dir", 0o120000: "link"}


def read_account(text: str) -> dict[str, FileSpec]:
    found = {}
    for line in text.splitlines():
        path, kind, mode, time, *content = line.split(" ")
        name = os.fsdecode(bytes.fromhex(path))
        spec = FileSpec(name, bytes.fromhex("".join(content)), KINDS[int(kind)], int(mode), int(time) / 1e9)  # type: ignore[arg-type]
        found[name] = spec
    return found


def expected_changes(
    before: dict[str, FileSpec], after: dict[str, FileSpec]
) -> dict[str, tuple[FileSpec | None, FileSpec | None]]:
    """Every path that differs; a folder that differs in its time only where nothing directly in it is listed."""
    differing = {path: (before.get(path), after.get(path)) for path in before.keys() | after.keys()}
    differing = {path: pair for path, pair in differing.items() if pair[0] != pair[1]}

    def only_time(pair: tuple[FileSpec | None, FileSpec | None]) -> bool:
        first, second = pair
        if first is None or second is None or first.kind != "dir":
            return False
        return FileSpec(first.path, b"", "dir", first.mode, second.mtime) == second

    told = {os.path.split(path)[0] for path, pair in differing.items() if not only_time(pair)}
    return {path: pair for path, pair in differing.items() if not (only_time(pair) and path in told)}


def placed(files: list[FileSpec]) -> list[FileSpec]:
    """Only files that can lie together: no file below a file or a link, no path twice."""
    kept: dict[str, FileSpec] = {}
    for file in files:
        parents = [file.path[:end] for end, letter in enumerate(file.path) if letter == "/"]
        below = any(path.startswith(f"{file.path}/") for path in kept)
        if file.path in kept or (below and file.kind != "dir"):
            continue
        if all(parent not in kept or kept[parent].kind == "dir" for parent in parents):
            kept[file.path] = file
    return list(kept.values())


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(files=FILES.map(placed), edits=EDITS, in_layer=st.booleans())
def test_the_list_is_the_truth(
    sandbox: BubblewrapSandbox, files: list[FileSpec], edits: list[Edit], in_layer: bool
) -> None:
    """The files lie in the writable top, or in a layer below it, where removing and replacing leave marks."""
    account = f"/usr/bin/python3 -I -S -c {shlex.quote(ACCOUNT)}"
    script = "\n".join([account, *(f"( {edit.command()} ) 2> /dev/null" for edit in edits), account])
    limits = Limits(wall_seconds=30, disk_mb=8)
    if in_layer:
        outcome = sandbox.run(script, [], limits, [sandbox.layer("true", files, limits)])
    else:
        outcome = sandbox.run(script, files, limits)
    assert outcome.exit_code == 0, outcome.stderr
    first, second, _ = outcome.stdout.decode().split("---\n")
    before, after = read_account(first), read_account(second)
    for file in files:
        assert before[file.path] == file, "a file did not arrive as it was given"
    listed = {change.path: (change.before, change.after) for change in outcome.changes if change.path != "."}
    assert listed == expected_changes(before, after)
    for change in outcome.changes:
        how = "created" if change.before is None else "removed" if change.after is None else "changed"
        assert change.how == how
    assert [change.path for change in outcome.changes] == sorted(change.path for change in outcome.changes)
