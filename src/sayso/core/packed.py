"""The lines of a packed corpus file, or one clear line on why they cannot be read."""

from __future__ import annotations

import lzma
from pathlib import Path

from sayso.core.errors import BadFile, MissingData


def read_packed_lines(path: Path, corpus: str, hint: str) -> list[str]:
    """The lines of an .xz file; only a line feed ends one, since a command may hold any other separator."""
    try:
        text = lzma.decompress(path.read_bytes()).decode("utf-8")
    except FileNotFoundError as error:
        raise not_here(path, corpus, hint) from error
    except (lzma.LZMAError, UnicodeDecodeError, EOFError) as error:
        raise BadFile(f"{path} is damaged: {error}", hint) from error
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}", hint) from error
    return text.removesuffix("\n").split("\n") if text else []


def not_here(path: Path, corpus: str, hint: str) -> MissingData:
    return MissingData(f"the {corpus} corpus is not on this machine: no {path}", hint)
