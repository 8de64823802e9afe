"""The systems that ship: each task's parser, trained on its train part alone, and one a domain for `sayso api`."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from sayso.core.errors import MissingPart
from sayso.core.types import System, Workspace
from sayso.induction import load_grammar
from sayso.induction.storing import FILE as GRAMMAR
from sayso.neural.bundle import Bundle, load_bundle
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.induced import Induced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sayso.targets.api.systems.parse import Parser

DAYS = {"calendar": ("today", "tomorrow", "yesterday")}
"""Times and nothing else, where the bundle was made before such words were learnt: `with Paul tomorrow`. An email may
be about tomorrow, and a file may be named so."""
BUNDLES = Path(__file__).parents[3] / "bundles"


def open_system(bundle: Bundle, workspace: Workspace) -> System:
    """The grammar's answer where the bundle has one that is sure, else the parser's."""
    parser = opened(bundle)
    translator = Induced(load_grammar(bundle), parser) if GRAMMAR in bundle.files else parser
    return System(translator, bundle=bundle.signature)


def open_task(name: str, workspace: Workspace) -> System:
    """The embedded system of one Okapi task, or what makes one."""
    folder = BUNDLES / f"api-{name}"
    if not folder.is_dir():
        raise MissingPart(
            f"api/{name} has no trained system in this build", f"`python -m sayso.experiments.api_parser {name}`"
        )
    return open_system(load_bundle(folder), workspace)


@cache
def domain_parser(domain: str) -> Parser:
    """What `sayso api` asks: trained on the train parts of both splits."""
    parser = opened(load_bundle(BUNDLES / f"api-{domain}"))
    return replace(parser, values=replace(parser.values, alone=parser.values.alone or DAYS.get(domain, ())))


def opened(bundle: Bundle) -> Parser:
    try:
        from sayso.targets.api.systems.storing import open_parser
    except ImportError as error:
        raise MissingPart(f"the parser of API calls needs numpy: {error}", "pip install numpy") from error
    return open_parser(bundle)


SYSTEMS = {f"{split}-{domain}": partial(open_task, f"{split}-{domain}") for split in OKAPI_SPLITS for domain in DOMAINS}
"""Task -> what opens the parser that is embedded for it."""
