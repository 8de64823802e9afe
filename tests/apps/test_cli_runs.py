"""`sayso eval|score|report|data|translate` from the outside: shapes, exit codes, files, bad input."""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sayso.apps.cli.main import main
from sayso.apps.cli.scores import workspace
from sayso.core.errors import MissingPart
from sayso.core.types import (
    Candidate,
    Draft,
    Example,
    Limits,
    Metric,
    Piece,
    Request,
    Risk,
    Split,
    System,
    Target,
    Task,
    Workspace,
)
from sayso.metrics.average import mean_score
from sayso.metrics.match import Match
from sayso.neural.bundle import load_bundle, write_bundle
from sayso.runs.ledger import Ledger
from sayso.targets import TARGETS, TASKS
from sayso.targets.bash.cookbook.recipes import BUNDLE
from sayso.targets.bash.tasks import BASH

WORDS = ["stone", "river", "candle", "mirror", "lantern", "basket", "garden", "window"]


@dataclass(frozen=True)
class Shout:
    """Upper-cases; a word of `fails` is answered with nothing, and `stone` with a doubtful guess."""

    fails: tuple[str, ...] = ()

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self.answer(request.text)[:k] for request in requests]

    def answer(self, text: str) -> list[Candidate]:
        if text in self.fails:
            return []
        return [Candidate(text.upper(), 0.1 if text == "stone" else 0.9), Candidate(text, 0.05)]


def load(workspace: Workspace, split: Split) -> list[Example]:
    return [Example(f"w:{word}", Request(word, (Piece("code", "x", "a"),)), (word.upper(),)) for word in WORDS]


def same(text: str) -> str:
    return text


def metrics(workspace: Workspace) -> tuple[Metric[Any], ...]:
    return Match("match@1", 1, same, "raw"), Match("match@3", 3, same, "raw")


def never(*arguments: Any) -> Any:
    raise NotImplementedError


def drafts(texts: Sequence[str]) -> list[Draft]:
    return [Draft(text, text, Risk("reads")) for text in texts]


READS = Risk("reads")
TARGET = Target(
    "toy", same, same, never, never, lambda text: READS, never, never, never, drafts, answered_by="toy/shout"
)
SYSTEMS = {
    "default": lambda workspace: System(Shout(), abstain_below=0.5),
    "mute": lambda workspace: System(Shout(fails=("river", "candle", "mirror", "lantern", "basket", "garden"))),
}


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy task is known, and results go to a folder of this test's own."""
    monkeypatch.setitem(TARGETS, "toy", TARGET)
    monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", TARGET, load, metrics, SYSTEMS))
    monkeypatch.setenv("SAYSO_RESULTS", str(tmp_path / "results"))
    monkeypatch.setenv("SAYSO_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "results"


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """call("eval", …) -> exit code, stdout, stderr; no sandbox is opened, the toy executes nothing"""

    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words, "--no-sandbox"] if words[0] in ("eval", "score", "report") else words)
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


Call = Callable[..., tuple[int, str, str]]


def test_eval_prints_the_scores_of_the_contract(results: Path, call: Call) -> None:
    code, out, _ = call("eval", "toy/shout", "--split", "test", "--system", "mute", "--json")
    report = json.loads(out)
    assert code == 0
    assert {"task", "split", "system", "scores", "test_runs"} <= set(report)
    assert (report["task"], report["split"], report["system"], report["test_runs"]) == ("toy/shout", "test", "mute", 1)
    first = report["scores"][0]
    assert set(first) == {"name", "value", "low", "high", "n", "unscored", "signature"}
    assert (first["name"], first["value"], first["n"], first["unscored"]) == ("match@1", 0.25, 8, {})
    assert (results / "predictions/toy/shout/mute.test.jsonl.zst").is_file()


def test_stored_predictions_are_used_until_fresh_is_asked_for(results: Path, call: Call) -> None:
    command = ("eval", "toy/shout", "--split", "test", "--system", "default", "--json")
    runs = [json.loads(call(*command, *more)[1])["test_runs"] for more in ((), (), ("--fresh",))]
    assert runs == [1, 1, 2]
    assert [entry.kind for entry in Ledger(results / "ledger.jsonl").read()[0]] == ["eval", "score", "eval"]


def test_eval_and_score_agree_and_text_shows_n_and_signature(results: Path, call: Call, tmp_path: Path) -> None:
    out_file = tmp_path / "p.jsonl"
    _, first, _ = call("eval", "toy/shout", "--system", "mute", "--predictions-out", str(out_file), "--json")
    code, second, _ = call("score", "toy/shout", "--split", "dev", "--predictions", str(out_file), "--json")
    assert code == 0
    assert json.loads(second)["scores"] == json.loads(first)["scores"]
    assert json.loads(second)["system"] == "mute"
    _, text, _ = call("score", "toy/shout", "--predictions", str(out_file))
    assert "match@1" in text and "0.250" in text and "match|k:1|canonical:raw" in text


def test_a_system_without_its_model_is_scored_from_its_predictions(
    results: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("eval", "toy/shout", "--system", "mute")
    monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", TARGET, load, metrics, {}))
    code, out, _ = call("eval", "toy/shout", "--system", "mute", "--json")
    assert (code, json.loads(out)["scores"][0]["value"]) == (0, 0.25)
    code, _, err = call("eval", "toy/shout", "--system", "mute", "--fresh")
    assert code == 2 and "only its predictions are stored" in err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("eval", "toy/shuot", "--system", "default"), 2, "did you mean toy/shout"),
        (("eval", "toy/shout", "--system", "defualt"), 2, "did you mean default"),
        (("eval", "toy/shout", "--system", "default", "-k", "0"), 2, "-k: must be a whole number from 1 to 50"),
        (
            ("eval", "toy/shout", "--system", "default", "--limit", "-1"),
            2,
            "--limit: must be a whole number of 0 or more, not -1",
        ),
        (("eval", "toy/shout", "--system", "default", "--split", "dve"), 2, "did you mean dev"),
        (("eval", "toy/shout", "--system", "."), 2, "is no bundle"),
        (("score", "toy/shout", "--predictions", "absent.jsonl"), 2, "there is no file absent.jsonl"),
        (("score", "toy/shout", "--predictions", "few.jsonl"), 2, "7 ids (w:river"),
        (("score", "toy/shout", "--predictions", "bad.jsonl"), 2, "bad.jsonl:1: not a prediction"),
        (("report", "toy/shuot"), 2, "did you mean toy/shout"),
        (("data", "check", "nl2bsh"), 2, "did you mean nl2bash"),
        (("data", "get", "okapi", "--from", "nowhere"), 2, "there is no folder nowhere"),
        (("data", "export", "toy/shuot"), 2, "did you mean toy/shout"),
        (("data",), 2, "ACTION"),
        (("translate", "tyo", "--in", "in.jsonl"), 2, "did you mean toy"),
        (("translate", "toy", "--in", "absent.jsonl"), 2, "there is no file absent.jsonl"),
        (("translate", "toy", "--in", "."), 2, "is a folder"),
        (("translate", "toy", "--in", "in.jsonl", "-k", "99"), 2, "-k: must be a whole number from 1 to 50"),
        (("translate", "toy", "--in", "in.jsonl", "--out", "in.jsonl/x"), 3, "cannot write"),
    ],
)
def test_bad_input_gets_one_line_and_the_right_code(
    results: Path, call: Call, tmp_path: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    (tmp_path / "few.jsonl").write_text('{"id": "w:stone", "candidates": []}\n')
    (tmp_path / "bad.jsonl").write_text('{"id": "w:stone"}\n')
    (tmp_path / "in.jsonl").write_text('{"id": "1", "text": "river"}\n')
    found, out, err = call(*words)
    assert (found, out) == (code, "")
    assert says in err
    assert err.startswith("sayso: ")
    assert "Traceback" not in err
    assert not list(tmp_path.glob("*.part")) and not list(tmp_path.glob(".*"))


def test_partial_and_limit(results: Path, call: Call, tmp_path: Path) -> None:
    (tmp_path / "few.jsonl").write_text('{"id": "w:stone", "candidates": [{"text": "STONE", "score": 1}]}\n')
    code, out, err = call("score", "toy/shout", "--predictions", "few.jsonl", "--partial", "--json")
    score = json.loads(out)["scores"][0]
    assert (code, score["value"], score["n"], score["unscored"]) == (0, 1.0, 1, {"no prediction": 7})
    assert "note: match@1 is incomplete" in err
    code, out, _ = call("eval", "toy/shout", "--system", "default", "--limit", "3", "--json")
    assert (code, json.loads(out)["scores"][0]["n"]) == (0, 3)
    assert not (results / "predictions").exists()


@pytest.mark.sandbox
def in_parts(workspace: Workspace, base: str, replaced: Mapping[str, str]) -> System:
    """Every second word is the business of the second stage, which a mute one leaves out."""
    return System(Shout(fails=("river", "mirror", "basket", "window") if replaced.get("second") == "mute" else ()))


def test_a_stage_is_replaced_where_a_task_has_stages(
    results: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = {"first": ("loud",), "second": ("loud", "mute")}
    staged = replace(TASKS["toy/shout"], stages=stages, staged=in_parts)
    monkeypatch.setitem(TASKS, "toy/shout", staged)
    code, out, _ = call("eval", "toy/shout", "--stage", "second=mute", "--stage", "first=loud", "--json")
    report = json.loads(out)
    assert (code, report["system"], report["scores"][0]["value"]) == (0, "default+first-loud+second-mute", 0.5)
    assert not list(results.glob("predictions/**/*.zst")), "scores say all that it was run for"
    for words, says in (
        (("--stage", "secnd=mute"), "did you mean second?"),
        (("--stage", "second=mut"), "did you mean mute?"),
        (("--stage", "second"), "NAME=SYSTEM"),
        (("--stage", "second=mute", "--system", "defalt"), "did you mean default?"),
    ):
        code, _, err = call("eval", "toy/shout", *words)
        assert code == 2 and says in err, err


@dataclass(frozen=True)
class Pairs:
    """A bench that does its work once, for examples in cells of two."""

    size: int
    right: frozenset[str] = frozenset()
    prepared_times: int = 0

    def prepared(self, examples: Any, answers: Any, engine: Any, progress: Any) -> Pairs:
        texts = {one.id: answer[0].text if answer else "" for one, answer in zip(examples, answers, strict=True)}
        right = frozenset(one.id for one in examples if texts[one.id] == one.references[0])
        return replace(self, right=right, prepared_times=self.prepared_times + 1)

    def notes(self) -> list[str]:
        return [f"prepared {self.prepared_times} times"]

    def files(self) -> list[tuple[str, str]]:
        return [("right.txt", "\n".join(sorted(self.right))), ("logs/one.log", "a log")]


@dataclass(frozen=True)
class OnPairs:
    name: str
    bench: Pairs

    @property
    def signature(self) -> str:
        return f"{self.name}|cells:{self.bench.size}"

    def measure(self, example: Example, candidates: Sequence[Candidate]) -> int:
        return int(example.id in self.bench.right)

    def reduce(self, stats: Sequence[Any]) -> Any:
        return mean_score(self.name, self.signature, stats)


def test_metrics_that_share_a_bench_have_it_prepared_once(
    results: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def on_pairs(workspace: Workspace, size: int = 1) -> tuple[Metric[Any], ...]:
        bench = Pairs(size)
        return OnPairs("one", bench), OnPairs("two", bench)

    def in_cells(text: str, seed: int) -> Task:
        sized = partial(on_pairs, size=int(text) * 10 + seed)
        return replace(TASKS["toy/shout"], metrics=sized)

    monkeypatch.setitem(TASKS, "toy/shout", replace(TASKS["toy/shout"], metrics=on_pairs, in_cells=in_cells))
    _, out, _ = call("eval", "toy/shout", "--system", "mute", "--json")
    report = json.loads(out)
    assert [score["name"] for score in report["scores"]] == ["one", "two"]
    assert [note for note in report["notes"] if note.startswith("prepared")] == ["prepared 1 times"]
    details = results / "details" / "toy" / "shout" / "mute.dev"
    assert (details / "right.txt").read_text() == "w:stone\nw:window" and (details / "logs/one.log").is_file()
    before = (results / "statistics/toy/shout/mute.dev.json").read_text()
    _, out, _ = call("eval", "toy/shout", "--system", "mute", "--partition", "2", "--seed", "3", "--json")
    assert json.loads(out)["scores"][0]["signature"].endswith("cells:23")
    assert (results / "statistics/toy/shout/mute.dev.json").read_text() == before, "statistics are those of examples"
    assert Ledger(results / "ledger.jsonl").read()[0][-1].settings["cells"] == "2"


def test_examples_that_stand_alone_are_not_measured_together(results: Path, call: Call) -> None:
    code, _, err = call("eval", "toy/shout", "--partition", "2")
    assert code == 2 and "measures every example by itself" in err
    code, _, err = call("eval", "toy/shout", "--stage", "a=b")
    assert code == 2 and "has no stages" in err


def test_metrics_are_given_a_sandbox_that_works(results: Path) -> None:
    given = workspace(argparse.Namespace(no_sandbox=False)).sandbox
    assert given is not None
    assert given.run("echo hello", [], Limits()).stdout == b"hello\n"
    assert workspace(argparse.Namespace(no_sandbox=True)).sandbox is None


def test_a_full_disk_leaves_nothing_half_written(results: Path, tmp_path: Path) -> None:
    """No file of the child may grow beyond 200 bytes, which a file system reports as a write that failed."""
    script = (
        "import sys; from tests.apps import test_cli_runs as t; from sayso.apps.cli.main import main;"
        "t.TASKS['toy/shout'] = t.Task('toy/shout', t.TARGET, t.load, t.metrics, t.SYSTEMS);"
        "sys.exit(main(['eval', 'toy/shout', '--system', 'default', '--no-sandbox']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)),
    )
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("sayso: cannot write ")
    assert len([line for line in done.stderr.splitlines() if line and not line.startswith("hint: ")]) == 1
    assert [path.suffix for path in results.rglob("*") if path.is_file()] in ([], [".part"])


@pytest.mark.slow
def test_report_prints_tables_and_writes_pages_and_figures(results: Path, call: Call, tmp_path: Path) -> None:
    for system in ("default", "mute"):
        call("eval", "toy/shout", "--system", system)
    code, out, _ = call("report", "toy/shout")
    assert code == 0
    assert "toy/shout dev: match" in out and "1.000 [0.676, 1.000]*" in out and "McNemar" in out
    assert "abstains" in out
    code, out, _ = call("report", "--json", "--out", "pages", "toy/shout")
    document = json.loads(out)
    names = {Path(name).name for name in document["files"]}
    assert names == {"toy-shout.md", "toy-shout.dev.match.png", "toy-shout.dev.match.svg"}
    assert {path.name for path in (tmp_path / "pages").iterdir()} == names
    (report,) = document["reports"]
    assert report["tied"] == {"match@1": ["default"], "match@3": ["default"]}
    assert [system["system"] for system in report["systems"]] == ["default", "mute"]


def test_report_puts_two_systems_side_by_side_and_writes_the_requests(
    results: Path, call: Call, tmp_path: Path
) -> None:
    for system in ("default", "mute"):
        call("eval", "toy/shout", "--system", system)
    code, out, _ = call("report", "toy/shout", "--systems", "default,mute", "--requests", "2", "--out", "pages")
    assert code == 0
    assert "only default is right (6)" in out and "(no answer)" in out and "… and 4 more" in out
    written = (tmp_path / "pages" / "toy-shout.dev.default-beside-mute.txt").read_text()
    assert written.count("  reference") == 2
    document = json.loads(call("report", "toy/shout", "--systems", "default,mute", "--json")[1])
    assert len(document["reports"][0]["contrast"]["differences"]) == 6
    assert call("report", "--systems", "default,mute")[0] == 2
    code, _, err = call("report", "toy/shout", "--systems", "default,mutt")
    assert code == 2 and "mute" in err


def test_report_without_results_says_what_to_do(results: Path, call: Call) -> None:
    code, out, err = call("report", "--json")
    assert (code, json.loads(out)) == (0, {"reports": [], "files": []})
    assert "sayso eval TASK" in err


def test_data_list_and_check(results: Path, call: Call) -> None:
    code, out, _ = call("data", "list", "--json")
    document = json.loads(out)
    assert code == 0
    assert {"name", "what", "licence", "source", "folder", "present", "bytes", "digest"} == set(document["corpora"][0])
    assert not any(row["present"] for row in document["corpora"])
    assert call("data", "--json", "list")[1] == out
    code, out, _ = call("data", "check", "scan", "--json")
    assert (code, json.loads(out)["corpora"][0]["status"]) == (1, "missing")
    code, out, _ = call("data", "check")
    assert code == 1 and out.startswith("missing  nl2bash\n")


def test_export_translate_score_is_one_pipeline(results: Path, call: Call, tmp_path: Path) -> None:
    assert call("data", "export", "toy/shout", "--split", "dev", "--out", "requests.jsonl")[0] == 0
    lines = [json.loads(line) for line in (tmp_path / "requests.jsonl").read_text().splitlines()]
    assert lines[0] == {"id": "w:stone", "text": "stone", "context": [{"kind": "code", "text": "x", "name": "a"}]}
    _, out, _ = call("data", "export", "toy/shout")
    assert out == (tmp_path / "requests.jsonl").read_text()
    code, out, _ = call("translate", "toy", "--in", "requests.jsonl", "--out", "p.jsonl.zst", "-k", "2", "--json")
    summary = json.loads(out)
    assert code == 0
    assert (summary["requests"], summary["abstained"], summary["target"]) == (8, 1, "toy")
    code, out, _ = call("score", "toy/shout", "--predictions", "p.jsonl.zst", "--json")
    assert (code, json.loads(out)["scores"][0]["value"], json.loads(out)["system"]) == (0, 1.0, "p")


def test_translate_keeps_the_order_and_the_shape(results: Path, call: Call, tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(100)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"id": word, "text": word}) + "\n" for word in words))
    assert call("translate", "toy", "--in", "in.jsonl", "--out", "out.jsonl", "-k", "1")[0] == 0
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == words
    assert lines[7] == {"id": "word7", "candidates": [{"text": "WORD7", "score": 0.9}], "abstained": False}


def test_translate_streams_standard_input(
    results: Path, call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b'{"id": "1", "text": "river"}\n\n{"id": "2", "text": "stone"}\n'))
    monkeypatch.setattr(sys, "stdin", stdin)
    code, out, _ = call("translate", "toy", "-k", "2")
    first, second = [json.loads(line) for line in out.splitlines()]
    assert (code, first["id"], second["id"]) == (0, "1", "2")
    # An unsure answer keeps its candidates.
    assert second["abstained"] and [one["text"] for one in second["candidates"]] == ["STONE", "stone"]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["{}", '{"id": "1", "text": "river"}', '{"id"'], "2 bad lines: 1: no id that is text; 3: not JSON"),
        (['{"id": "1", "text": " "}'], "1 bad line: 1: the request is empty"),
        (['{"id": "1", "text": "a\\u0000b"}'], "1 bad line: 1: the request holds a control character"),
        (['{"id": "1", "text": "' + "x" * 100_000 + '"}'], "1 bad line: 1: the request has 100,000 characters"),
        (["[" * 100_000], "1 bad line: 1: not JSON"),
        (["null"] * 7, "7 bad lines: 1: not a JSON object; 2: not a JSON object; 3:"),
    ],
)
def test_bad_lines_are_named_by_number_and_nothing_is_written(
    results: Path, call: Call, tmp_path: Path, lines: list[str], says: str
) -> None:
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    (tmp_path / "out.jsonl").write_text("what was there")
    code, out, err = call("translate", "toy", "--in", "in.jsonl", "--out", "out.jsonl")
    assert (code, out) == (2, "")
    assert says in err
    assert (tmp_path / "out.jsonl").read_text() == "what was there"


def test_translate_writes_into_a_pipe_as_it_is(results: Path, call: Call, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "1", "text": "river"}\n')
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert call("translate", "toy", "--in", "in.jsonl", "--out", "pipe")[0] == 0
    assert json.loads(os.read(reader, 10_000))["id"] == "1"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


def test_requests_that_come_through_a_pipe_are_all_translated(results: Path, call: Call, tmp_path: Path) -> None:
    """`--in <(a command)` can be read only once."""
    reader, writer = os.pipe()
    os.write(writer, b'{"id": "1", "text": "river"}\n{"id": "2", "text": "stone"}\n')
    os.close(writer)
    assert call("translate", "toy", "--in", f"/dev/fd/{reader}", "--out", "out.jsonl")[0] == 0
    os.close(reader)
    assert [json.loads(line)["id"] for line in (tmp_path / "out.jsonl").read_text().splitlines()] == ["1", "2"]


def test_requests_are_not_overwritten_with_their_answers(results: Path, call: Call, tmp_path: Path) -> None:
    requests = '{"id": "1", "text": "river"}\n'
    (tmp_path / "in.jsonl").write_text(requests)
    (tmp_path / "same.jsonl").symlink_to("in.jsonl")
    for name in ("in.jsonl", "same.jsonl"):
        code, _, err = call("translate", "toy", "--in", "in.jsonl", "--out", name)
        assert code == 2 and f"--in and --out are both {name}" in err
    assert (tmp_path / "in.jsonl").read_text() == requests


def test_ctrl_c_leaves_no_half_written_file(
    results: Path, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
            if requests[0].text != "word0":
                raise KeyboardInterrupt
            return [[Candidate("x", 1.0)] for _ in requests]

    systems = {"default": lambda workspace: System(Interrupted())}
    monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", TARGET, load, metrics, systems))
    lines = [json.dumps({"id": str(number), "text": f"word{number}"}) + "\n" for number in range(100)]
    (tmp_path / "in.jsonl").write_text("".join(lines))
    assert call("translate", "toy", "--in", "in.jsonl", "--out", "out.jsonl")[0] == 130
    assert call("eval", "toy/shout", "--system", "default")[0] == 130
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["in.jsonl"]
    assert [path.suffix for path in results.rglob("*") if path.is_file()] == [".part"]


def test_a_bundle_is_checked_and_its_kind_must_be_known(
    results: Path, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "trained"
    write_bundle(folder, name="loud", target="toy", kind="shout", settings={}, files={"w": b"1"}, licence="CC0-1.0")
    command = ("eval", "toy/shout", "--split", "test", "--system", str(folder), "--json")
    code, _, err = call(*command)
    assert code == 2 and 'cannot run a "shout"' in err
    target = replace(TARGET, openers={"shout": lambda folder, workspace: System(Shout())})
    monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", target, load, metrics, SYSTEMS))
    reports = [json.loads(call(*command)[1]) for _ in range(2)]
    assert [(report["system"], report["test_runs"]) for report in reports] == [("loud", 1), ("loud", 1)]
    write_bundle(folder, name="loud", target="toy", kind="shout", settings={}, files={"w": b"2"}, licence="CC0-1.0")
    assert json.loads(call(*command)[1])["test_runs"] == 2
    (folder / "w").write_bytes(b"3")
    code, _, err = call(*command)
    assert code == 2 and "was altered" in err


def test_our_own_cookbook_bundle_is_run_from_its_folder(
    results: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TASKS, "toy/command", Task("toy/command", BASH, load, metrics, {}))
    code, out, _ = call("eval", "toy/command", "--system", str(BUNDLE), "--json")
    assert (code, json.loads(out)["system"]) == (0, "bash-cookbook")
    assert Ledger(results / "ledger.jsonl").read()[0][0].bundle == load_bundle(BUNDLE).signature


def test_an_embedded_system_whose_bundle_changed_is_run_again(
    results: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("eval", "toy/shout", "--split", "test", "--system", "default", "--json")
    runs = []
    for digest in ("1" * 64, "1" * 64, "2" * 64, "2" * 64):
        systems = {"default": lambda workspace, digest=digest: System(Shout(), bundle=digest)}
        monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", TARGET, load, metrics, systems))
        _, out, err = call(*command)
        runs.append(json.loads(out)["test_runs"])
        told = "default.test.jsonl.zst was made with bundle 11111111, and default has bundle 22222222: it is run again"
        assert (told in err) == (len(runs) == 3)
        assert ("--fresh runs the system again" in err) == (len(runs) in (2, 4))
    assert runs == [1, 1, 2, 2]
    origin = json.loads((results / "predictions/toy/shout/default.test.json").read_text())
    assert origin["bundle"] == "2" * 64


def test_a_system_that_cannot_be_opened_says_that_its_predictions_may_be_older(
    results: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks(workspace: Workspace) -> System:
        raise MissingPart("there is no runtime", "pip install it")

    command = ("eval", "toy/shout", "--system", "default", "--json")
    systems = {"default": lambda workspace: System(Shout(), bundle="1" * 64)}
    monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", TARGET, load, metrics, systems))
    before = json.loads(call(*command)[1])["scores"]
    monkeypatch.setitem(TASKS, "toy/shout", Task("toy/shout", TARGET, load, metrics, {"default": lacks}))
    code, out, err = call(*command)
    assert (code, json.loads(out)["scores"]) == (0, before)
    assert "its stored predictions are of bundle 11111111, perhaps an older one" in err
    assert "to refresh them: pip install it, then --fresh" in err
    code, out, err = call(*command, "--fresh")
    assert (code, out) == (3, "") and "there is no runtime" in err


def test_a_page_gets_the_scores_of_a_system_in_its_row(results: Path, call: Call, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    head = "# Title\n\n| `mute` | not a table of scores |\n\n| system | `match@1` | `bleu` |\n| --- | --- | --- |\n"
    page.write_text(f"{head}| `default` | 1 | 2 |\n| `mute` (says little) | | |\n\nthe end\n")
    command = ("eval", "toy/shout", "--system", "mute", "--page", str(page))
    assert call(*command)[0] == 0
    assert page.read_text().startswith(
        head + "| `default` | 1 | 2 |\n| `mute` (says little) | .250 (.000–.625) | – |\n"
    )
    assert page.read_text().endswith("|\n\nthe end\n")
    assert "nothing changes in" in call(*command)[2]
    page.write_text("# Title\n")
    code, _, err = call(*command)
    assert code == 2 and "has no row of mute" in err


def test_an_empty_file_of_requests_gives_an_empty_file(results: Path, call: Call, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("")
    assert call("translate", "toy", "--in", "in.jsonl", "--out", "out.jsonl")[0] == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
