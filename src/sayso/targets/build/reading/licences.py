"""The licence of a source from the text of its licence files, as an SPDX name; "" where no text is known."""

from __future__ import annotations

import re

from sayso.targets.build.reading.tree import SourceTree

FILE = re.compile(r"(?:^|/)(?:copying|licen[cs]e|copyright|artistic|unlicense|gpl)[^/]*$", re.I)
REUSE = re.compile(r"^LICENSES/([\w.+-]+)\.txt$")
LESSER = re.compile(r"(?:^|/)(?:copying[.-]?(?:lesser|lib)|copying\.lgpl|lgpl)[^/]*$", re.I)
LATER = re.compile(r"(?:either )?version (\d(?:\.\d)?)[^.]{0,60}?,?\s*or\s*(?:\(at your option\)\s*)?any later", re.I)
FIELD = re.compile(r"""\blicen[cs]e['"]?\s*(?:=>|=|:)\s*\[?\s*(?:\{\s*text\s*=\s*)?["']?([^"'\n,\]}]{2,60})""", re.I)
SPDX = re.compile(r"SPDX-License-Identifier:\s*([\w.+() -]+?)\s*(?:\*/|-->|$)", re.M)
TEXTS: tuple[tuple[str, str], ...] = (
    (r"affero general public license", "AGPL-3.0"),
    (r"gnu lesser general public license.{0,200}version 3|lesser general public license v3", "LGPL-3.0"),
    (r"gnu lesser general public license.{0,200}version 2\.1", "LGPL-2.1"),
    (r"gnu library general public license.{0,200}version 2", "LGPL-2.0"),
    (r"gnu general public license.{0,200}version 3", "GPL-3.0"),
    (r"gnu general public license.{0,200}version 2", "GPL-2.0"),
    (r"gnu general public license.{0,200}version 1", "GPL-1.0"),
    (r"apache license.{0,80}version 2\.0", "Apache-2.0"),
    (r"mozilla public license.{0,60}(?:version|v\.?) ?2\.0", "MPL-2.0"),
    (r"mozilla public license.{0,60}(?:version|v\.?) ?1\.1", "MPL-1.1"),
    (r"eclipse public license.{0,40}v(?:ersion)? ?\.? ?2\.0", "EPL-2.0"),
    (r"eclipse public license.{0,40}v(?:ersion)? ?\.? ?1\.0", "EPL-1.0"),
    (r"boost software license", "BSL-1.0"),
    (r"creative commons.{0,20}cc0|cc0 1\.0 universal", "CC0-1.0"),
    (r"this is free and unencumbered software", "Unlicense"),
    (r"the artistic license 2\.0", "Artistic-2.0"),
    (
        r"same terms as (?:the )?perl|under the (?:same )?terms .{0,30}perl itself|same terms as perl",
        "GPL-1.0-or-later OR Artistic-1.0-Perl",
    ),
    (r"provided 'as-is', without any express", "Zlib"),
    (
        r"permission to use, copy, modify,? and(?:/or)? distribute this software for any purpose with or without fee",
        "ISC",
    ),
    (r"permission is hereby granted, free of charge, to any person obtaining", "MIT"),
    (
        r"redistribution and use in source and binary forms.{0,1200}"
        r"(?:neither the names?|may not be used to endorse|the names? of)",
        "BSD-3-Clause",
    ),
    (r"redistribution and use in source and binary forms", "BSD-2-Clause"),
    (r"the artistic license", "Artistic-1.0"),
    (r"do what the fuck you want", "WTFPL"),
    (r"public domain", "Public-Domain"),
)
NAMED: tuple[tuple[str, str], ...] = (
    (r"agpl", "AGPL-3.0-or-later"),
    (r"lgpl.{0,6}2\.1", "LGPL-2.1-or-later"),
    (r"lgpl.{0,6}3", "LGPL-3.0-or-later"),
    (r"lgpl|lesser general", "LGPL-2.1-or-later"),
    (r"gpl.{0,12}3", "GPL-3.0-or-later"),
    (r"gpl.{0,12}2", "GPL-2.0-or-later"),
    (r"perl", "GPL-1.0-or-later OR Artistic-1.0-Perl"),
    (r"gpl|general public", "GPL-2.0-or-later"),
    (r"apache|asl", "Apache-2.0"),
    (r"mpl|mozilla", "MPL-2.0"),
    (r"isc", "ISC"),
    (r"\bmit\b|x11", "MIT"),
    (r"bsd.{0,4}2|simplified bsd", "BSD-2-Clause"),
    (r"bsd", "BSD-3-Clause"),
    (r"zlib", "Zlib"),
    (r"artistic", "Artistic-2.0"),
    (r"unlicense", "Unlicense"),
    (r"zpl", "ZPL-2.1"),
    (r"psf|python software", "PSF-2.0"),
)


def licence_of(tree: SourceTree) -> str:
    """From a name in a build file of a language, the texts of licence files, and what the documents say of versions."""
    prose = "\n".join(text[:20_000] for path, text in tree.texts.items() if not FILE.search(path))
    if match := SPDX.search(prose):
        return match[1]
    if names := by_file_names(tree):
        return names
    files = sorted(
        (path for path in tree.texts if FILE.search(path)),
        key=lambda path: (path.count("/"), not LESSER.search(path), len(path), path),
    )
    found = [name for path in files[:3] if (name := by_text(tree.texts[path]))]
    if any(path.rpartition("/")[2] in ("Makefile.PL", "Build.PL") for path in tree.texts):
        said = by_name(prose)
        return said or by_text(prose) or (found[0] if found else "GPL-1.0-or-later OR Artistic-1.0-Perl")
    if found:
        return with_later(
            found[0], prose + "\n".join(tree.texts[path][-4000:] for path in files[:1]), bool(LATER.search(prose))
        )
    return by_name(prose) or with_later(by_text(prose), prose, bool(LATER.search(prose)))


def by_file_names(tree: SourceTree) -> str:
    """Licences that a folder of REUSE names its files after."""
    found = [match[1] for path, _ in tree.files if (match := REUSE.search(path))]
    named = [name for name in dict.fromkeys(found) if not name.startswith(("CC0", "CC-BY", "LicenseRef"))] or found
    return " AND ".join(sorted(named)[:4])


def by_text(text: str) -> str:
    flat = " ".join(re.sub(r"[*#/;>|]+", " ", text[:30_000]).lower().split())
    hits = [(match.start(), name) for pattern, name in TEXTS if (match := re.search(pattern, flat))]
    return min(hits, key=lambda hit: (hit[0] // 400, [name for _, name in TEXTS].index(hit[1])))[1] if hits else ""


def with_later(name: str, prose: str, said: bool) -> str:
    """GNU's texts do not say whether later versions will do; sources mostly let them."""
    if not name.startswith(("GPL", "LGPL", "AGPL")) or " " in name:
        return name
    only = re.search(r"version \d(?:\.\d)? only|only version \d|gpl-?v?\d only", prose, re.I)
    return f"{name}-only" if only and not said else f"{name}-or-later"


def by_name(text: str) -> str:
    for match in FIELD.finditer(text):
        value = match[1].lower()
        for pattern, name in NAMED:
            if re.search(pattern, value):
                return name
    return ""
