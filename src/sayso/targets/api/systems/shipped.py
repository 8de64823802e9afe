"""The systems that ship: each task's parser, trained on its train part alone, and what answers a single request."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from sayso.core.errors import MissingPart
from sayso.core.types import System, Translator, Workspace
from sayso.induction import load_grammar
from sayso.induction.storing import FILE as GRAMMAR
from sayso.neural.bundle import MANIFEST, Bundle, load_bundle
from sayso.neural.installed import open_bundle
from sayso.targets.api.corpus.okapi import OKAPI_SPLITS
from sayso.targets.api.evidence.chances import better_fit
from sayso.targets.api.specs.prompts.shipped import trunk_signature
from sayso.targets.api.syntax.schema import DOMAINS
from sayso.targets.api.systems.induced import Induced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sayso.targets.api.systems.parse import Parser
    from sayso.targets.api.systems.wording.reading import Wording

DAYS = {"calendar": ("today", "tomorrow", "yesterday")}
"""Times and nothing else, where the bundle was made before such words were learnt: `with Paul tomorrow`. An email may
be about tomorrow, and a file may be named so."""
BUNDLES = Path(__file__).parents[3] / "bundles"
WORDING = BUNDLES / "api-wording"
DATA = Path(__file__).parents[1] / "data"


def open_system(bundle: Bundle, workspace: Workspace) -> System:
    """The grammar's answer where the bundle has one that is sure, else the parser's."""
    parser = opened(bundle)
    translator = Induced(load_grammar(bundle), parser) if GRAMMAR in bundle.files else parser
    return System(translator, bundle=bundle.signature)


def open_task(name: str, workspace: Workspace) -> System:
    """The system of one Okapi task, whose weights are a distribution of their own."""
    return open_bundle(f"api-{name}", lambda folder: open_system(load_bundle(folder), workspace))


@cache
def domain_parser(domain: str) -> Parser:
    """What `sayso api` asks: trained on the train parts of both splits."""
    parser = opened(domain_bundle(domain))
    return replace(parser, values=replace(parser.values, alone=parser.values.alone or DAYS.get(domain, ())))


@cache
def domain_bundle(domain: str) -> Bundle:
    return load_bundle(BUNDLES / f"api-{domain}")


def open_any_domain(workspace: Workspace) -> System:
    """Whatever the domain: the parsers of all three, with the chances that were fitted for them."""
    parsers = {name: domain_parser(name) for name in DOMAINS}
    # Needs numpy, which the line above asks for in words.
    from sayso.targets.api.systems.any_domain import any_domain

    fitted = {name: replace(one, calibration=better_fit(name, one.calibration)) for name, one in parsers.items()}
    return replace(any_domain(fitted, wording_reader(), trunk_reader()), bundle=signature())


@cache
def wording_reader() -> Wording | None:
    """The reader of people's own wording; None where there is no runtime for the encoder that it looks with."""
    from sayso.targets.api.specs.slots.meaning import reads_texts

    if not (WORDING / MANIFEST).is_file() or not reads_texts():
        return None
    from sayso.targets.api.systems.wording.storing import open_wording

    return open_wording(load_bundle(WORDING))


def trunk_reader() -> Translator | None:
    """The trunk, where it learnt calls and what weighs it is fitted; opened when it is first asked."""
    from sayso.targets.api.systems.trunk import call_translator

    return call_translator() if (DATA / "three_readers.json").is_file() else None


def signature() -> str:
    """Everything that changes what is answered: the bundles, and the tables of this package."""
    names = [domain_bundle(name).signature for name in DOMAINS]
    names += [load_bundle(WORDING).signature] if wording_reader() is not None else []
    names += [trunk_signature()]
    bundles = hashlib.sha256("".join(names).encode())
    tables = hashlib.sha256()
    for path in sorted(DATA.glob("*.*")):
        tables.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return f"{bundles.hexdigest()}+{tables.hexdigest()}"


def opened(bundle: Bundle) -> Parser:
    try:
        from sayso.targets.api.systems.storing import open_parser
    except ImportError as error:
        raise MissingPart(f"the parser of API calls needs numpy: {error}", "pip install numpy") from error
    return open_parser(bundle)


SYSTEMS = {f"{split}-{domain}": partial(open_task, f"{split}-{domain}") for split in OKAPI_SPLITS for domain in DOMAINS}
"""Task -> what opens the parser that is embedded for it."""
