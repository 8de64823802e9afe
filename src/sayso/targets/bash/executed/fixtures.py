"""File trees in which a command has something to find, and beside it what it must not find.

Three shapes of one grounding: `rich` crosses every condition with both of its sides, `sparse` holds a single match of
each name, `swapped` has other words, other places and other answers, so that an output that never changes is found out.
"""

from __future__ import annotations

import posixpath
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product

from sayso.core.types import FileSpec
from sayso.english.constants import word_set
from sayso.targets.bash.executed.archives import pack
from sayso.targets.bash.executed.facts import DAY, HERE, HOME, PLACERS, Facts
from sayso.targets.bash.executed.fixture import STDIN, Fixture, Shape, above, full_path, place
from sayso.targets.bash.executed.owners import owner_programs
from sayso.targets.bash.executed.programs import programs
from sayso.targets.bash.executed.samples import fill_glob, is_glob, near_names
from sayso.targets.bash.executed.stand_ins import READER, STAND_INS, functions, stand_ins
from sayso.targets.bash.executed.traits import Traits, crossed_sides, ideals, unique

MOST_CROSSED = {"rich": 120, "sparse": 8, "swapped": 60}
LEAST_CROSSED = 12
DECOYS = {"rich": 4, "sparse": 1, "swapped": 2}
MOST_COUNTED = 40
WORDS = {
    "rich": ("alder", "birch", "cedar", "dogwood", "elm", "fir", "gum", "hazel"),
    "sparse": ("iris", "jasmine"),
    "swapped": ("kale", "leek", "maize", "nettle", "onion", "pea", "quince", "rye"),
}
FOLDERS = {
    "rich": ("north", "north/inner", "south", "north/inner/core2", ".veiled"),
    "sparse": ("west",),
    "swapped": ("east", "east/lower", "up", "up/high/peak"),
}
ORDINARY = ("notes.txt", "main.c", "data.csv", "photo.jpg", "run.sh", ".profile2", "README", "page.html", "log1.log")
LARGEST_CONTENT = 20_000
LARGEST_FILE = 1 << 36
LONGEST_NAME = 200
NOT_OURS = ("/proc", "/dev", "/sys", "/bin", "/sbin", "/lib", "/lib64")
PROGRAMS = ("/usr/bin", "/usr/sbin")
# What a run needs: a fixture puts nothing in their place.
NEEDED = word_set(
    "bash sh dash env find timeout head printf touch truncate stat sort realpath sed xargs mawk gawk awk perl rm mv cp"
)
SYSTEM_FILES = ("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/hostname", "/etc/shells", "/etc/services")
SYSTEM_FOLDERS = ("/usr", "/etc", "/var", "/home", "/tmp", "/root", "/boot", "/run", "/opt", "/srv", "/mnt", "/media")
SYSTEM_PARENTS = ("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local", "/var/log", "/var/www")
PASSWD = b"root:x:0:0::/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\n"
GROUP = b"root:x:0:\nuser:x:1000:\n"
# rm asks before it removes what is write-protected only where it believes to face a person.
RM = "/usr/local/bin/rm"


def build(facts: Facts, shape: Shape, seed: str, now: float) -> Fixture:
    """The fixture of one shape; the same arguments give the same one."""
    return _Builder(facts, shape, random.Random(f"{seed}\0{shape}"), now).build()


class _Builder:
    def __init__(self, facts: Facts, shape: Shape, rng: random.Random, now: float) -> None:
        self.facts, self.shape, self.rng, self.now = facts, shape, rng, now
        self.fixture = Fixture(variables=facts.variables, hour=int(now // 3600) % 24)
        self.folders: set[str] = {"."}
        self.count = 0
        self.young_folders = any(sign == "+" for _, _, sign in facts.ages)

    def build(self) -> Fixture:
        answer = "n" if self.shape == "swapped" else "y"
        self.put(STDIN, Traits(text=""), "".join(f"{answer} {line}\n" for line in self.column_lines(6)))
        self.folder(".")
        roots = [made for path in self.facts.roots for made in self.filled(path, 2)]
        for path in (*roots, *(made for folder in self.facts.folders for made in self.filled(folder, 2))):
            self.folder(path)
        for path in self.facts.roots:
            if place(path) == "/root":
                self.parent(path)
            if is_glob(path) and self.shape == "rich":
                self.fill(place(posixpath.join(posixpath.dirname(path), "0utside")))
        for number, root in enumerate(roots):
            if place(root) in ("/", "/proc", "/dev", "/sys"):
                continue
            is_bare = self.facts.prunes and self.shape == "sparse"
            if not (self.facts.asks_empty and (is_bare or (number % 2 == 0 and len(roots) > 1))):
                self.fill(place(root))
            parent = posixpath.dirname(place(root))
            if parent.count("/") > 1 or (parent and not parent.startswith("/")):
                self.put(
                    posixpath.join(parent, f"beside_{posixpath.basename(root)}.txt"), Traits(mode=0o600), "beside\n"
                )
        if "/" in map(place, self.facts.roots):
            self.fill("/srv/depot")
            # On another disk than the rest, as -xdev sees it.
            for name in self.names()[:2]:
                self.put(
                    f"/usr/away/{fill_glob(name, 'apart').replace('/', '')}",
                    self.ordinary(),
                    self.content(""),
                )
        if roots and self.shape != "sparse":
            self.outside(roots)
        for pointer in self.facts.pointers:
            self.link(pointer, f"{posixpath.basename(pointer)}.goal")
        for number, path in enumerate(self.facts.files):
            for made in self.filled(path, 1 if self.shape == "sparse" else 3):
                self.named(made, number)
        marks = self.facts.marks[::-1] if self.shape == "swapped" else self.facts.marks
        bases = unique([posixpath.basename(path) for path in marks])
        for path in marks:
            for mark in dict.fromkeys((path, posixpath.basename(path))):
                age = (30 - 10 * bases.index(posixpath.basename(path)) % 30) * DAY
                self.put(mark, Traits(age=age, access=age), self.content(""))
        for path in self.facts.archives:
            for made in self.filled(path, 2):
                self.archive(made)
        for number, name in enumerate(ORDINARY[:4] if not self.facts.roots else ()):
            self.put(name, Traits(), self.content(""))
            self.put(f"{FOLDERS[self.shape][0]}/{name}", Traits(mode=0o600), self.content("") * number)
        for parent in self.facts.parents:
            self.parent(parent)
        self.extras()
        if self.facts.utilities & {"chown", "chgrp"}:
            self.fixture.files |= owner_programs()
        if self.facts.asks_force:
            self.fixture.files[RM] = FileSpec(RM, b'#!/bin/sh\nexec /bin/rm ---presume-input-tty "$@"\n', "file", 0o755)
        return self.fixture

    def parent(self, path: str) -> None:
        """A folder in which the command may make something; those of the system are opened for it."""
        at = place(path)
        if at in SYSTEM_FOLDERS or at in SYSTEM_PARENTS:
            self.fixture.files.setdefault(at, FileSpec(at, b"", "dir", 0o777, self.now - 700 * DAY))
        else:
            self.folder(path)

    def extras(self) -> None:
        """What no pattern of names asks for: links that lead somewhere, programs, options, owners that have no name."""
        facts, words = self.facts, WORDS[self.shape]
        self.fixture.files |= programs()
        root = place(facts.roots[0]) if facts.roots and not is_glob(facts.roots[0]) else "."
        root = "/srv/depot" if root == "/" else root
        for number, pattern in enumerate(facts.linked):
            self.link(posixpath.join(root, f"points{number}"), fill_glob(pattern, words[0]))
            self.link(posixpath.join(root, f"astray{number}"), f"{fill_glob(pattern, words[0])}x")
        for name in facts.programs:
            if "/" not in name and name not in NEEDED | facts.utilities:
                script = f"#!/bin/sh\necho {name} here\n"
                self.put(f"/usr/local/games/{name}", Traits(mode=0o755), script)
                if facts.asks_links:
                    self.link(f"/usr/local/bin/{name}", f"/usr/local/games/{name}")
                self.put(f"/usr/local/bin/{name}", Traits(mode=0o775), script)
        if facts.utilities & STAND_INS:
            self.fixture.files |= stand_ins(facts.utilities, self.said())
            self.fixture.opening += functions(facts.utilities)
        if facts.asks_person:
            self.fixture.opening += READER
        if facts.ownerless:
            for number, folder in enumerate((root, posixpath.join(root, "lost"))):
                self.put(posixpath.join(folder, f"orphan{number}.txt"), Traits(owner="ghost"), self.content(""))
            self.fixture.files["/etc/passwd"] = FileSpec("/etc/passwd", PASSWD)
            self.fixture.files["/etc/group"] = FileSpec("/etc/group", GROUP)
        if "s" in facts.types:
            for number, name in enumerate(self.names()[:2]):
                made = fill_glob(name, f"plug{number}").replace("/", "")
                spots = (root, posixpath.join(root, FOLDERS[self.shape][0]))
                self.fixture.sockets += [place(posixpath.join(spot, made)) for spot in spots]
        for test, given in facts.numbered:
            path = posixpath.join(root, f"numbered{given}.txt")
            self.put(path, Traits(owner="" if test == "-inum" else f"u{given}"), self.content(""))
            self.fixture.numbered[test, given] = path
        if facts.asks_names:
            known = [
                path for path, spec in self.fixture.files.items() if spec.kind == "file" and not path.startswith("/")
            ]
            for number, path in enumerate(known[:6:2]):
                self.fixture.same[posixpath.join(posixpath.dirname(path), f"again{number}")] = path
        for pointer in facts.pointers:
            self.put(f"{pointer}.goal", Traits(), self.content(""))
        if self.shape == "swapped":
            names = [name for name in facts.options if name.isalnum()]
            self.fixture.opening += "".join(
                f"if shopt -q {name}; then shopt -u {name}; else shopt -s {name}; fi 2>/dev/null\n" for name in names
            )

    def outside(self, roots: list[str]) -> None:
        """What is looked for, in places where nobody asked to look: above a root, in the home folder, far away."""
        above_roots = [posixpath.dirname(full_path(place(root))) for root in roots]
        # Not in the start folder itself, where the shell would expand a pattern that nobody quoted.
        kept = [f"{HERE}/aloof" if spot == HERE else spot for spot in above_roots]
        for spot in dict.fromkeys((*kept, HOME, "/srv/away")):
            for name in self.names()[:3] if spot not in ("/", *SYSTEM_FOLDERS[:3]) else ():
                made = fill_glob(name, "strayed").replace("/", "")
                self.put(
                    posixpath.join(spot, made),
                    self.ordinary(),
                    self.content(self.some_text()),
                )

    def filled(self, path: str, count: int) -> list[str]:
        """The paths that a pattern is made to match; a plain path is itself."""
        return [fill_glob(path, word) for word in WORDS[self.shape][:count]] if is_glob(path) else [path]

    def put(self, path: str, traits: Traits, content: str | bytes = "") -> None:
        """A file, unless something lies there or above it, or the system needs what lies there."""
        at = place(path)
        if not self.is_free(at) or (at in self.folders and traits.kind != "dir"):
            return
        self.folder(posixpath.dirname(at) or ".")
        data = content.encode() if isinstance(content, str) else content
        if traits.kind == "link":
            data = b"README"
        elif traits.size is not None:
            if traits.size > LARGEST_CONTENT:
                data = b""
                self.fixture.sparse[at] = min(traits.size, LARGEST_FILE)
            else:
                data = (data + b"\n" * traits.size)[: traits.size] if traits.kind == "file" else b""
        mode = traits.mode | 0o700 if traits.kind == "dir" else traits.mode
        self.keep(at, FileSpec(full_path(at), data, traits.kind, mode, self.now - traits.age, traits.owner))
        if not traits.owner:
            self.fixture.accessed[at] = self.now - traits.access

    def folder(self, path: str) -> None:
        """A folder with those above it, on the side of every condition on age where nothing is found."""
        at = place(path)
        if not self.is_free(at) or at in SYSTEM_FOLDERS or at in SYSTEM_PARENTS:
            return
        parent = posixpath.dirname(at)
        if parent:
            self.folder(parent)
        age = 0.02 * DAY if self.young_folders else 700 * DAY
        self.keep(at, FileSpec(full_path(at), b"", "dir", 0o755, self.now - age))
        self.fixture.accessed[at] = self.now - age

    def crate(self, path: str) -> None:
        """A folder that conditions on age do find, and in it a file that they do not."""
        found, other = (700 * DAY, 0.02 * DAY) if self.young_folders else (0.02 * DAY, 700 * DAY)
        self.put(path, Traits("dir", found, found, mode=0o755))
        self.put(posixpath.join(path, "packed.txt"), Traits(age=other, access=other), self.content(""))

    def closed(self, spot: str) -> None:
        """Folders of every name and path that is pruned, with files of every name in them."""
        names = self.names()
        for pattern in (*self.facts.names, *self.facts.paths):
            pruned = fill_glob(pattern.rstrip("/*"), "closed")
            folder = pruned if pruned.startswith(("/", "./")) else posixpath.join(spot, pruned.strip("/"))
            for name in (*names[:4], "*.txt"):
                inside = fill_glob(name, "inside").replace("/", "")
                self.put(
                    posixpath.join(folder, inside),
                    self.ordinary(),
                    self.content(self.some_text()),
                )

    def is_free(self, at: str) -> bool:
        full = full_path(at)
        if at in self.fixture.files or full == "/" or full in SYSTEM_FILES:
            return False
        if any(full == folder or full.startswith(f"{folder}/") for folder in NOT_OURS):
            return False
        folder, name = posixpath.split(full)
        if folder in PROGRAMS and name in NEEDED | self.facts.utilities:
            return False
        if any(len(part.encode(errors="replace")) > LONGEST_NAME for part in full.split("/")):
            return False
        held = [spec for path in above(at) if (spec := self.fixture.files.get(path))]
        return all(spec.kind == "dir" for spec in held)

    def keep(self, at: str, spec: FileSpec) -> None:
        self.fixture.files[at] = spec
        self.folders.update(above(at))

    def fill(self, root: str) -> None:
        """Folders, matches crossed with every condition, near misses and ordinary files below one root."""
        folders = [posixpath.join(root, name) for name in FOLDERS[self.shape]]
        deepest = folders[0]
        for level in range(self.facts.depth - 1):
            deepest = posixpath.join(deepest, f"level{level + 2}")
            folders.append(deepest)
        for folder in folders:
            self.folder(folder)
        if self.facts.prunes:
            self.closed(folders[0])
        if self.facts.only_reads and self.facts.ages and self.shape == "swapped":
            self.crate(posixpath.join(root, "crate"))
        top = [root] if self.facts.is_shallow or root != "." else []
        spots = [*top, *folders]
        names = self.names()
        traits = crossed_sides(self.facts, self.rng, self.now)
        for number, (pattern, trait) in enumerate(self.crossed(names, traits)):
            spot = spots[number % len(spots)]
            words = WORDS[self.shape]
            name = fill_glob(pattern, f"{words[number % len(words)]}{number}").replace("/", "")
            self.put(self.free(spot, name, number), self.varied(trait, number), self.content(trait.text))
        names = [fill_glob(name, WORDS[self.shape][0]).replace("/", "") for name in names]
        if "d" in self.facts.types and self.facts.names and self.shape != "sparse":
            nested = fill_glob(self.facts.names[0], "nest").replace("/", "")
            self.folder(posixpath.join(folders[0], nested, nested))
        for path in self.facts.paths:
            words = WORDS[self.shape]
            # A star of -path runs over slashes.
            best = max(traits, key=lambda traits: (traits.kind == "file", bool(traits.text)))
            for word in (*words[:2], f"{words[0]}/{words[1]}"):
                made = fill_glob(path, word)
                made = made if made.startswith(("/", "./")) else posixpath.join(root, made)
                for inside in self.names()[:3] if path.endswith("/*") else ():
                    within = posixpath.join(posixpath.dirname(made), fill_glob(inside, word).replace("/", ""))
                    self.put(within, self.rng.choice(traits), self.content(self.some_text()))
                self.put(made, best if word == words[0] else self.rng.choice(traits), self.content(self.some_text()))
                apart = posixpath.join(root, "apart", posixpath.basename(made))
                self.put(apart, self.rng.choice(traits), self.content(self.some_text()))
        if self.shape == "sparse":
            self.put(posixpath.join(folders[0], "README"), Traits(), self.content(""))
            return
        for number, name in enumerate(self.decoys(names)):
            # A near miss says something only where every other condition holds, and which side that is nobody knows.
            # Files of one name would come to lie on each other where they are moved.
            for step in range(1 if self.facts.utilities & PLACERS else DECOYS[self.shape]):
                spot = spots[(number + step) % len(spots)]
                self.put(posixpath.join(spot, name), self.rng.choice(traits), self.content(self.some_text()))
        if self.facts.asks_links:
            self.links(root, folders)

    def crossed(self, names: list[str], traits: list[Traits]) -> Iterator[tuple[str, Traits]]:
        """Every name with every combination of traits, or as many as fit, each of them at least once."""
        facts = self.facts
        plain = not (
            facts.ages or facts.sizes or facts.modes or facts.users or facts.groups or facts.marks or facts.texts
        )
        if self.shape == "sparse" and plain and not facts.asks_empty and set(facts.types) <= {"f"}:
            return iter([(name, traits[0]) for name in names])
        best = ideals(traits, self.facts)
        pairs = list(product(names, traits))
        self.rng.shuffle(pairs)
        near = list(product(names[:3], best))
        pairs = [*near, *(pair for pair in pairs if pair[0] not in names[:3] or pair[1] not in best)]
        most = MOST_CROSSED[self.shape]
        if len(pairs) > most:
            first: dict[object, tuple[str, Traits]] = {}
            for pair in pairs:
                first.setdefault(pair[0], pair)
                first.setdefault(pair[1], pair)
            chosen = dict.fromkeys([*near[: most // 2], *first.values()])
            pairs = [*chosen, *(pair for pair in pairs if pair not in chosen)][:most]
        if self.shape != "sparse":
            pairs += [(name, trait) for name in names[:3] for trait in traits[:1]]
            pairs *= -(-(LEAST_CROSSED + min(self.facts.count, MOST_COUNTED)) // len(pairs))
        return iter(pairs)

    def names(self) -> list[str]:
        """Patterns of names; each file that is made from one gets a word of its own."""
        found = [name for name in self.facts.names if name.strip("/")]
        if self.facts.asks_spaces:
            found += [
                name.replace("*", "two *", 1) if "*" in name else f"two *{name}" for name in found[:1] or ["*.txt"]
            ]
        return list(dict.fromkeys(found)) or ["*.txt", "*"]

    def ordinary(self) -> Traits:
        """What an ordinary file has, on one side of each condition."""
        return crossed_sides(self.facts, self.rng, self.now)[0]

    def free(self, spot: str, name: str, number: int) -> str:
        """A path of that name which is not taken; a numbered folder where the spot has one already."""
        path = posixpath.join(spot, name)
        if place(path) not in self.fixture.files:
            return path
        folder = posixpath.join(spot, f"box{number}")
        self.folder(folder)
        return posixpath.join(folder, name)

    def decoys(self, names: list[str]) -> list[str]:
        near = [other for name in names[:4] for other in near_names(name, self.facts.asks_case)]
        return list(dict.fromkeys([*near, *(name for name in ORDINARY if name not in names)]))

    def links(self, root: str, folders: list[str]) -> None:
        """Links to a file beside them, to nothing and to a folder outside of the tree."""
        self.put(posixpath.join(folders[0], "README"), Traits(), self.content(""))
        for name in ("distant.txt", *self.names()[:2]):
            self.put(f"/opt/elsewhere/{fill_glob(name, 'distant').replace('/', '')}", Traits(), self.content(""))
        found = [fill_glob(name, "link").replace("/", "") for name in self.names()[:2]]
        names = [*found, *(text.replace("/", "") for text in self.facts.texts[:1]), "shortcut"]
        for number, name in enumerate(names):
            self.link(
                posixpath.join(folders[number % len(folders)], f"to_{name}"), "missing" if number % 2 == 0 else "README"
            )
        self.link(posixpath.join(root, "aside"), "/opt/elsewhere")
        self.link(posixpath.join(folders[0], found[0]), "README")

    def link(self, path: str, goal: str) -> None:
        at = place(path)
        if self.is_free(at) and at not in self.folders:
            self.keep(at, FileSpec(full_path(at), goal.encode(), "link", 0o777, self.now - 5 * DAY))

    def varied(self, traits: Traits, number: int) -> Traits:
        """Ages and permissions that differ where no condition asks for them, so that a condition too many shows."""
        facts = self.facts
        if not (facts.ages or facts.marks or facts.dates):
            traits = replace(traits, age=(5 * DAY, 0.1 * DAY, 60 * DAY, 500 * DAY)[number % 4])
        if not facts.modes and not facts.asks_force and traits.kind == "file":
            traits = replace(traits, mode=(0o644, 0o755, 0o600, 0o664)[number // 2 % 4])
        return traits

    def some_text(self) -> str:
        return self.rng.choice(["", *self.facts.texts[:3]])

    def content(self, text: str) -> str:
        """A few lines, each with a mark of its own that tells where a printed line comes from."""
        lines = [self.rng.choice(("plain words here", "some (other) thing", "stars * and $igns")) for _ in range(2)]
        if text:
            lines += [f"{text} trailing", f"leading {text}", f"x{text}x"]
            lines += [text] if self.facts.whole_lines else []
        self.rng.shuffle(lines)
        made = []
        for line in lines:
            self.count += 1
            made.append(f"{line} u{self.count}u" if line != text or not text else line)
        return "".join(f"{line}\n" for line in made)

    def column_lines(self, count: int) -> list[str]:
        separator = self.facts.separators[0] if self.facts.separators else " "
        separator = "\t" if separator == "\\t" else separator
        words = WORDS[self.shape] * 2
        return [
            separator.join(
                (words[at % len(words)], str(self.rng.randint(1, 40)), words[(at * 3 + 1) % len(words)], str(at * 3))
            )
            for at in range(count)
        ]

    def said(self) -> list[str]:
        """What a stand-in prints: columns, and lines that patterns match and miss."""
        texts = unique(self.facts.texts)[:3]
        return [*self.column_lines(6), *(line for text in texts for line in (text, f"a {text} b 7", f"x{text}x c 8"))]

    def named(self, path: str, number: int) -> None:
        """A file that the command names: columns, numbers, repeats, blank lines and lines that its patterns match."""
        pool = self.column_lines(7 + self.facts.count if self.shape != "sparse" else 2)
        common, own = pool[:3], [f"{line} {number}" for line in pool[3:]]
        matching = [
            line
            for text in unique(self.facts.texts)[:3]
            for line in (text, f"a {text} b", f"x{text}", *([text.swapcase()] if self.facts.asks_case else []))
        ]
        matching += [" ".join(pair) for pair in pairwise(unique(self.facts.texts)[:3])]
        lines = [*common, *own, *matching]
        if self.facts.wants_sorted:
            lines = sorted(set(lines))
        else:
            self.rng.shuffle(lines)
            lines += [lines[0], *lines[1:3], *lines[2:3], "", "  indented", "Alder", "10", "9", "9"]
        ending = path.rsplit(".", 1)[-1]
        if ending in ("gz", "zip", "tgz", "tar", "bz2", "xz"):
            self.archive(path)
            return
        mode = {"rich": 0o644, "sparse": 0o664, "swapped": 0o600}[self.shape]
        self.put(path, Traits(mode=mode), "".join(f"{line}\n" for line in lines))

    def archive(self, path: str) -> None:
        members = {f"{word}.txt": f"{word} inside\n".encode() for word in WORDS[self.shape][:3]}
        if self.facts.texts:
            lines = [line for text in unique(self.facts.texts)[:3] for line in (f"a {text} b", text, text.swapcase())]
            members["bag/lines.txt"] = "".join(f"{line}\n" for line in lines).encode()
        members |= {f"bag/{word}.c": f"int {word};\n".encode() for word in WORDS[self.shape][:2]}
        self.put(path, Traits(), pack(path, members, int(self.now - 9 * DAY)))
