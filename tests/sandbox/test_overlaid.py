"""A folder of the host under an overlay: who may have one, and what does not go with it. (What it does, an ordinary
user's dry run shows: tests/apps/cli/test_dry_run.py.)"""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from sayso.core.errors import SandboxFailed, UserError
from sayso.core.types import Layer, Limits
from sayso.sandbox import open_sandbox
from sayso.sandbox.bubblewrap import BubblewrapSandbox

pytestmark = pytest.mark.sandbox


def test_root_is_told_that_his_files_would_be_nobodys(sandbox: BubblewrapSandbox, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user may")
    with pytest.raises(SandboxFailed, match="would not belong to the sandbox's user") as caught:
        open_sandbox(tmp_path / "cache", overlaid={"/srv/it": tmp_path})
    assert caught.value.reason == "needs an ordinary user"


def test_no_layers_over_a_folder_whose_content_no_digest_knows(tmp_path: Path) -> None:
    over = BubblewrapSandbox(tmp_path / "cache", overlaid={"/srv/it": tmp_path})
    with pytest.raises(UserError, match="has no layers"):
        over.layer("true", [], Limits())
    with pytest.raises(UserError, match="has no layers"):
        over.run("true", [], Limits(), [Layer("a" * 64, tmp_path)])
    assert pickle.loads(pickle.dumps(over)).overlaid == {"/srv/it": tmp_path}
