"""What the user has set: folders, colour and the few choices in config.toml. The only reader of the environment.

It stands on the path of every answer, so pathlib, tomllib and platformdirs are imported only where they are needed.
"""
# pathlib would cost every answer a tenth of its start-up:
# ruff: noqa: PTH100, PTH103, PTH111, PTH116

from __future__ import annotations

import os
import stat
import sys

from sayso.core.errors import BadFile, DaemonFailed, UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Literal

    from sayso.core.types import Workspace
    from sayso.runs.store import Results

MOST_CANDIDATES = 50
LARGEST = 1_000_000
"""Bytes of config.toml."""
NO_HOME = "/nonexistent"
"""The home of a user who has none: nothing is read there, and nothing can be written."""

# Variable → what it does; the reference page prints it.
ENVIRONMENT = {
    "SAYSO_DATA": "the folder of the corpora; goes before `data` in config.toml",
    "SAYSO_RESULTS": "the folder of your runs: predictions and ledger; goes before `results` in config.toml",
    "SAYSO_MODEL_KEY": "the key for the server of `model.url`; sent over https or to this machine alone, never kept",
    "NO_COLOR": "any value switches colour off, whatever config.toml says",
    "SHELL": "your shell: `sayso --run` runs commands in it, or in bash where it does not read bash (fish, csh)",
    "VISUAL": "your editor, for a command of several lines; `EDITOR` where it is not set, else vi",
    "MANPATH": "the folders of manual pages that `sayso bash --index-man` reads whole, instead of the usual ones",
    "XDG_CONFIG_HOME": "where `sayso/config.toml` lies; `~/.config` unless set",
    "XDG_DATA_HOME": "where `sayso/` keeps corpora and results; `~/.local/share` unless set",
    "XDG_STATE_HOME": "where `sayso/` keeps each terminal's last answer and your history; `~/.local/state` unless set",
    "SAYSO_SESSION": "a name for this conversation, where `sayso then` has no terminal to tell it by",
    "XDG_CACHE_HOME": "where `sayso/` keeps what it can make again; `~/.cache` unless set",
    "XDG_RUNTIME_DIR": "where `sayso/` keeps the socket of the background process; `/tmp/sayso-UID` unless set",
}

# The background process gets these and no other variable: it outlives the shell that started it.
PASSED_ON = (
    *("HOME", "PATH", "TMPDIR", "LANG", "LANGUAGE", "MANPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH"),
    *("SAYSO_DATA", "SAYSO_RESULTS"),
)
PASSED_ON_PREFIXES = ("XDG_", "LC_", "PYTHON", "COVERAGE_")


# Key of config.toml → what it does; the reference page prints it.
KEYS = {
    "k": f"how many candidates an answer holds, 1 to {MOST_CANDIDATES}",
    "idle_minutes": "minutes without a request after which the background process ends; 0 never starts one",
    "keep_last": "true keeps the last answer of each terminal for some hours, for `sayso then`; false keeps none",
    "man_index": "true reads the manual pages here in the background, once and when they change; false never",
    "colour": '"auto" (in a terminal), "always" or "never"',
    "data": "the folder of the corpora",
    "results": "the folder of your runs: predictions and ledger; `results/` in the user's data folder unless set",
    "model.url": "a server that speaks OpenAI's chat protocol, `http://localhost:8080/v1`; none is asked unless set",
    "model.name": "which of the server's models; ollama and vLLM need it, llama.cpp has but one",
    "model.seconds": "how long an answer waits for that server, 1 to 600",
}


class Settings:
    """The keys of config.toml with their defaults. No dataclass: importing those is a fifth of a warm answer.

    `model.url` of the file is `model_url` here.
    """

    k: int = 3
    idle_minutes: float = 30.0
    keep_last: bool = True
    man_index: bool = True
    colour: str = "auto"
    data: str = ""
    results: str = ""
    model_url: str = ""
    model_name: str = "default"
    model_seconds: float = 20.0

    def __init__(self, found: Mapping[str, object] | None = None) -> None:
        vars(self).update(found or {})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings are not changed once read: {name}")


def attribute(key: str) -> str:
    """ "model.url" -> "model_url\""""
    return key.replace(".", "_")


def load() -> Settings:
    """The settings in config.toml, or the defaults where there is none."""
    path = config_file()
    if not os.path.lexists(path):
        return Settings()
    return checked(path, read_toml(path))


def read_toml(path: str) -> dict[str, object]:
    import tomllib

    from sayso.core.given import read_plain

    try:
        return tomllib.loads(read_plain(path, LARGEST).decode())
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        line = place.removeprefix("line ").split(",")[0]
        where = f"{path}:{line}" if line.isdigit() else f"{path}, at its end"
        raise BadFile(f"{where}: {message}", "correct it there; the keys are in docs/reference/settings.md") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not UTF-8 text", "save it as UTF-8, or remove it to use the defaults") from error
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}", "make it a readable file, or remove it") from error
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of a thousand digits
        raise BadFile(f"{path} cannot be read: {str(error)[:80]}", "correct it there, or remove it") from None


def flat(found: Mapping[str, object], before: str = "") -> dict[str, object]:
    """{"k": 3, "model": {"url": ""}} -> {"k": 3, "model.url": ""}"""
    result: dict[str, object] = {}
    for name, value in found.items():
        result |= flat(value, f"{before}{name}.") if isinstance(value, dict) and value else {f"{before}{name}": value}
    return result


def checked(path: str, found: dict[str, object]) -> Settings:
    """Settings from what TOML holds; a wrong key or value names the file and what was expected."""
    given = flat(found)
    for name in given:
        if name not in KEYS:
            raise UnknownName(f"key in {path}", name, KEYS)
    result = Settings({attribute(name): value for name, value in given.items()})
    whole = isinstance(result.k, int) and not isinstance(result.k, bool)
    if not (whole and 1 <= result.k <= MOST_CANDIDATES):
        raise wrong_value(path, "k", f"a whole number from 1 to {MOST_CANDIDATES}", result.k)
    if not is_number(result.idle_minutes, 0, 100_000):
        raise wrong_value(path, "idle_minutes", "a number of minutes, 0 or more", result.idle_minutes)
    for name in ("keep_last", "man_index"):
        if not isinstance(getattr(result, name), bool):
            raise wrong_value(path, name, "true or false", getattr(result, name))
    if result.colour not in ("auto", "always", "never"):
        raise wrong_value(path, "colour", '"auto", "always" or "never"', result.colour)
    for name in ("data", "results"):
        if not isinstance(getattr(result, name), str):
            raise wrong_value(path, name, "the path of a folder in quotes", getattr(result, name))
    url = result.model_url
    if not isinstance(url, str) or not (url == "" or url.startswith(("http://", "https://"))):
        raise wrong_value(path, "model.url", 'an address such as "http://localhost:8080/v1"', url)
    if not isinstance(result.model_name, str):
        raise wrong_value(path, "model.name", "the name of a model in quotes", result.model_name)
    if not is_number(result.model_seconds, 1, 600):
        raise wrong_value(path, "model.seconds", "a number of seconds from 1 to 600", result.model_seconds)
    return result


def is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def wrong_value(path: str, name: str, wanted: str, found: object) -> BadFile:
    return BadFile(
        f"{path}: {name} must be {wanted}, not {found!r}", f"correct {name} in that file, or remove the line"
    )


def user_folder(kind: Literal["config", "data", "cache", "state"]) -> str:
    """platformdirs' answer; worked out here on Linux, where importing it would cost more than it says."""
    platform: str = sys.platform
    if platform == "linux":
        unset = {"config": ".config", "data": ".local/share", "cache": ".cache", "state": ".local/state"}[kind]
        given = os.environ.get(f"XDG_{kind.upper()}_HOME", "").strip()
        # What is relative would be another's: settings and history of whoever made the current folder.
        if given.startswith("/"):
            return f"{given}/sayso"
        home = os.path.expanduser("~")
        return f"{home if home.startswith('/') else NO_HOME}/{unset}/sayso"
    import platformdirs

    return {
        "config": platformdirs.user_config_dir,
        "data": platformdirs.user_data_dir,
        "cache": platformdirs.user_cache_dir,
        "state": platformdirs.user_state_dir,
    }[kind]("sayso", False)


def shared_cache() -> str:
    """The user's cache with everybody's folders in it, as other programs on Linux find it."""
    return os.path.dirname(user_folder("cache"))  # noqa: PTH120


def config_file() -> str:
    return f"{user_folder('config')}/config.toml"


def data_folder() -> Path:
    from pathlib import Path

    given = os.environ.get("SAYSO_DATA", "") or load().data
    return Path(given).expanduser().absolute() if given else Path(user_folder("data"))


def results_folder() -> Path:
    """Where runs are written: $SAYSO_RESULTS, else config.toml's, else the user's data folder."""
    from pathlib import Path

    given = os.environ.get("SAYSO_RESULTS", "") or load().results
    return Path(given).expanduser().absolute() if given else Path(user_folder("data")) / "results"


def published_folder() -> Path | None:
    """results/ of the checkout we stand in: what was published on purpose, and every run on test."""
    from pathlib import Path

    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "src" / "sayso" / "core" / "types.py").is_file() and (folder / "pyproject.toml").is_file():
            return folder / "results"
    return None


def results() -> Results:
    """The user's runs, read together with what the checkout we stand in has published."""
    from sayso.runs.store import Results

    own, published = results_folder(), published_folder()
    return Results(own, None if published and published.resolve() == own.resolve() else published)


def workspace() -> Workspace:
    """The folders that an app hands down; the sandbox is put in by the commands that run something."""
    from pathlib import Path

    from sayso.core.types import Workspace

    return Workspace(data=data_folder(), cache=Path(user_folder("cache")))


def listed_folders(variable: Literal["MANPATH", "PATH"]) -> list[str]:
    """The folders that a variable lists, in order."""
    return [part for part in os.environ.get(variable, "").split(os.pathsep) if part.startswith("/")]


def personal(variable: str) -> str:
    """What the user's session says of itself: SHELL, EDITOR, DISPLAY, TMUX …; "" where it says nothing."""
    return os.environ.get(variable, "").strip()


def exported() -> dict[str, str]:
    """What a command of the user's would find in the environment: for a dry run, which takes those that it names."""
    return dict(os.environ)


def runtime_folder() -> str:
    """The folder of the socket: ours alone, or DaemonFailed. Another user's (after su, sudo -E) is passed over."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = f"{given}/sayso" if given.startswith("/") and owned(given) else f"/tmp/sayso-{os.getuid()}"
    try:
        if not os.path.lexists(folder):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        status = os.lstat(folder)
    except OSError as error:
        raise DaemonFailed(
            f"{folder} cannot be made: {error.strerror}", "set XDG_RUNTIME_DIR to a folder of your own"
        ) from error
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise DaemonFailed(
            f"{folder} is not a folder of yours", "remove it, or set XDG_RUNTIME_DIR to a folder of your own"
        )
    if status.st_mode & 0o077:
        raise DaemonFailed(f"{folder} is open to other users", f"run `chmod 700 {folder}`")
    return folder


def owned(folder: str) -> bool:
    try:
        return os.stat(folder).st_uid == os.getuid()
    except OSError:
        return False


def wants_colour(choice: str, is_terminal: bool) -> bool:
    """NO_COLOR (no-color.org) and a dumb terminal go before config.toml."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or choice == "never":
        return False
    return is_terminal or choice == "always"


def what_an_answer_depends_on() -> str:
    """What the user may change between two calls and a running background process would not notice."""
    given = passed_on()
    variables = [f"{name}={given.get(name, '')}" for name in ("HOME", *ENVIRONMENT)]
    try:
        status = os.stat(config_file())
        variables.append(f"{status.st_mtime_ns} {status.st_size}")
    except OSError:
        variables.append("no config.toml")
    return "\n".join(variables)


def passed_on() -> dict[str, str]:
    """The environment of the background process: nothing that a shell may keep secrets in, and no relative path."""
    kept = {
        name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith(PASSED_ON_PREFIXES)
    }
    for name in ("SAYSO_DATA", "SAYSO_RESULTS"):
        if kept.get(name):
            kept[name] = os.path.abspath(os.path.expanduser(kept[name]))
    if kept.get("PYTHONPATH"):
        kept["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, kept["PYTHONPATH"].split(os.pathsep)))
    return kept
