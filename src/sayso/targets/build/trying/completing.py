"""A build that succeeds and leaves something out: options and rules that would install it, and the rest by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sayso.targets.build.planning.by_hand import install_headers
from sayso.targets.build.planning.makefile import assigned, overrides, read_makefile
from sayso.targets.build.planning.plan import PREFIX, Ground, Plan, Step, at, inside
from sayso.targets.build.trying.repairs import hand_steps, with_words

FURTHER = re.compile(
    r"install[-_](?:headers?|libs?|dev(?:el)?|library|shared|static|all|pc|pkgconfig|includes?)$|dev-install|install-lib\w*"
)


def complete(plan: Plan, lacking: Sequence[str], ground: Ground) -> Iterator[Plan]:
    """Plans that may install what is lacking, the tree's own ways first."""
    why = f"it installs no {' and no '.join(lacking)}"
    if plan.system == "make":
        path = plan.facts.get("source", "")
        made = read_makefile(path, ground.text)
        if further := [name for name in made.targets if FURTHER.fullmatch(name)]:
            moved = {key: value for one in further for key, (value, _) in overrides(made, one).items()}
            words = " ".join(assigned(key, value) for key, value in moved.items())
            step = Step(f"make {' '.join(further)} {words}".rstrip(), "install", (made.cause(further[0]),), why)
            yield replace(plan, steps=(*plan.steps, step))
        if "libraries" in lacking and (
            goals := [one for one in ("lib", "libs", "library", "shared", "static") if one in made.targets]
        ):
            build = Step(f"make {' '.join(goals)}", "build", (made.cause(goals[0]),), why)
            yield replace(plan, steps=(*plan.steps, build, *hand_steps(plan, ground)))
    if plan.system == "cmake":
        text = "\n".join(ground.text(path) for path in ground.below(plan.folder) if path.endswith("CMakeLists.txt"))
        names = dict.fromkeys(re.findall(r"(?i)\bif\s*\(\s*(\w*(?:INSTALL|DEVEL|SHARED|LIB)\w*)\s*\)", text))
        on = [f"-D{name}=ON" for name in names if f"-D{name}" not in plan.script and not name.startswith("CMAKE")]
        if on:
            yield with_words(plan, "configure", " ".join(on[:6]), why)
    if "anything" in lacking or "libraries" in lacking:
        yield replace(plan, steps=(*plan.steps, *hand_steps(plan, ground)))
    elif "headers" in lacking:
        yield replace(plan, steps=(*plan.steps, *install_headers(ground, plan.folder)))
    if "pkg-config" in lacking:
        folder = inside(plan.folder, "")
        find = "find . -name '*.pc' -not -name '*uninstalled*'"
        step = Step(f"install -D -m 644 -t {PREFIX}/lib/pkgconfig $({find})", "install", (at(folder),), why)
        yield replace(plan, steps=(*plan.steps, step))
