"""Where a bundle of ours lies: in this package, else in a distribution of its own that is installed beside it.

Such a distribution names a package in the entry point group `sayso.bundles`; the bundles are folders in the folder
`bundles` of that package, which is found and never imported. Nothing is looked for by path or over the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from sayso.core.errors import BadBundle, MissingPart
from sayso.neural.bundle import MANIFEST

T = TypeVar("T")
GROUP = "sayso.bundles"
OWN = Path(__file__).parents[1] / "bundles"
OKAPI = ("the systems of Okapi's tasks", "sayso-okapi")
APART = {"notebook-trunk": ("notebook cells", "sayso-notebook")} | {
    f"api-{split}-{domain}": OKAPI for split in ("length", "program") for domain in ("document", "email", "calendar")
}
"""Bundle -> what is answered with it, and the distribution of ours that brings it."""
UNREAD = "the list of installed packages"


@dataclass(frozen=True)
class Offer:
    """An installed distribution that brings bundles; `problem` says why it brings none."""

    distribution: str
    version: str
    bundles: dict[str, Path] = field(default_factory=dict)
    problem: str = ""

    @property
    def said(self) -> str:
        return f"{self.distribution} {self.version}".rstrip()


def find_bundle(name: str) -> Path:
    """The folder of a bundle; MissingPart where nothing that is installed has it, BadBundle where what has it broke."""
    return found(name)[0]


def open_bundle(name: str, opened: Callable[[Path], T]) -> T:
    """What `opened` makes of the folder of a bundle; its complaints name the distribution and how to get it again."""
    folder, offer = found(name)
    if offer is None:
        return opened(folder)
    try:
        return opened(folder)
    except BadBundle as error:
        raise BadBundle(f"{offer.said}: {error.message}", again(offer.distribution)) from error


def found(name: str) -> tuple[Path, Offer | None]:
    """The folder, and whose it is where it is not this package's."""
    if (OWN / name / MANIFEST).is_file():
        return OWN / name, None
    what, distribution = APART.get(name, (f"answers of {name}", ""))
    able = [offer for offer in offers() if name in offer.bundles]
    if len(able) > 1:
        both = " and ".join(offer.said for offer in able)
        raise BadBundle(f"{name} is in {both}", f"keep one of them: pip uninstall {able[-1].distribution}")
    if able:
        return able[0].bundles[name], able[0]
    broken = next((offer for offer in offers() if offer.distribution in (UNREAD, distribution)), None)
    offers.cache_clear()  # what is missing may be installed while this process lives
    if broken:
        problem = broken.problem or f"it has no bundle {name}"
        raise BadBundle(f"{what} need {broken.said}: {problem}", again(distribution))
    if not distribution:
        raise MissingPart(f"{what} need a bundle that is not installed", "`sayso doctor` lists those that are")
    raise MissingPart(
        f"{what} need the weights of {distribution}, which is not installed", f"pip install {distribution}"
    )


def again(distribution: str) -> str:
    """Damage and a version that does not fit this one have the same cure."""
    return f"pip install --upgrade --force-reinstall --no-deps sayso {distribution}".rstrip()


@cache
def offers() -> tuple[Offer, ...]:
    """Every installed distribution that names itself in the group; one that is broken stops no other."""
    from importlib.metadata import entry_points  # a twentieth of a second that only such bundles cost

    try:
        points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    except Exception as error:  # the list of packages is anybody's
        return (Offer(UNREAD, "", problem=f"{type(error).__name__}: {error}"),)
    made = []
    for point in points:
        name, version = (point.dist.name, point.dist.version) if point.dist else (point.name, "")
        try:
            bundles = dict(bundles_in(package_folder(point.value)))
        except BadBundle as error:
            made.append(Offer(name, version, problem=error.message))
        except Exception as error:  # whatever its import machinery ends in
            made.append(Offer(name, version, problem=f"{point.value} cannot be found: {type(error).__name__}: {error}"))
        else:
            made.append(Offer(name, version, bundles))
    return tuple(made)


def package_folder(module: str) -> Path:
    """The folder `bundles` of a package that is not imported: weights are data."""
    from importlib.util import find_spec

    if not module.isidentifier():
        raise BadBundle(f"its entry point names {module!r}, which is no package")
    spec = find_spec(module)
    places = spec.submodule_search_locations if spec else None
    folders = [Path(place) / "bundles" for place in places or ()]
    for folder in folders:
        if folder.is_dir():
            return folder
    raise BadBundle(f"its package {module} {'has no folder of bundles' if places else 'is not installed'}")


def bundles_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """By name; anything else that lies there is left alone."""
    return ((one.name, one) for one in sorted(folder.iterdir()) if (one / MANIFEST).is_file())
