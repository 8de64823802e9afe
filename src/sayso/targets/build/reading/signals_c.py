"""What Autoconf, CMake, Meson and make ask for: libraries, headers, .pc files, programs, macros."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.targets.build.reading.signals import Signal, Text, arguments, calls, words_of
from sayso.targets.build.reading.words import listed

MACRO = re.compile(r"^[ \t]*(?:m4_ifdef\(\[\w+\],\s*\[)?([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b(\()?", re.M)
PLAIN_MACROS = re.compile(
    r"AC_(?:INIT|SUBST|DEFINE|MSG|ARG|CONFIG|OUTPUT|CHECK_(?:HEADERS?|LIB|FUNCS?|PROGS?|TOOLS?|TYPES?|SIZEOF|MEMBERS?|DECLS?)|PATH_PROGS?"
    r"|PATH_TOOL|SEARCH_LIBS|PREREQ|COPYRIGHT|REVISION|TYPE|FUNC|HEADER|C_|TRY|COMPILE|LINK|RUN|CACHE|REQUIRE|CANONICAL|LANG"
    r"|PROG_(?:CC|INSTALL|LN_S|MAKE|CPP|CXX|RANLIB|EGREP|GREP|SED|AWK|MKDIR)|SYS_LARGEFILE|USE_SYSTEM)"
    r"|A[MC]_(?:CONDITIONAL|INIT|SILENT|MAINTAINER|COND|CONFIG)|AM_PROG_(?:CC|AR|AS)|LT_|AS_|AH_|AU_|PKG_CHECK"
)
COMMENT_M4 = re.compile(r"^[ \t]*(?:dnl|#).*$", re.M)
COMMENT = re.compile(r"#.*$", re.M)
PKG = re.compile(
    r"PKG_(?:CHECK_MODULES|CHECK_EXISTS|CHECK_VAR|CHECK_MODULES_STATIC|WITH_MODULES|HAVE_WITH_MODULES)(?:_\w+)?\s*\("
)
CHECK_LIB = re.compile(r"(?:AC_CHECK_LIB|AC_HAVE_LIBRARY|AX_CHECK_LIBRARY|AC_LIB_HAVE_LINKFLAGS|AC_LIB_LINKFLAGS)\s*\(")
SEARCH = re.compile(r"AC_SEARCH_LIBS\s*\(")
HEADERS = re.compile(r"AC_CHECK_HEADERS?(?:_ONCE)?\s*\(")
PROGS = re.compile(r"A[CM]_(?:CHECK|PATH|MISSING)_(?:TARGET_)?(?:PROGS?|TOOLS?)\s*\(|AM_MISSING_PROG\s*\(")
LATER = re.compile(r"\[\s*(?:true|:|no|AC_MSG_WARN|have_\w+=no|with_\w+=no|enable_\w+=no)", re.I)
LINKED = re.compile(r"(?<![\w-])-l([A-Za-z][\w+.-]*)")
CONFIG_TOOL = re.compile(r"\b([a-z][\w+-]*)-config\b")
PKG_CONFIG_RUN = re.compile(
    r"(?:pkg-config|\$\(PKG_?CONFIG\)|\$\{PKG_?CONFIG\}|\$PKG_?CONFIG)((?:\s+--?[\w=./-]+)*)((?:\s+[a-z][\w.+-]*)+)",
    re.I,
)
RULE = re.compile(r"^\t[-@+]*([a-z][\w+.-]*)\b", re.M)
INCLUDED = re.compile(r"#\s*include\s*<([\w./+-]+\.h\w*)>")

FIND = re.compile(r"\b(?:find_package|find_dependency|macro_optional_find_package)\s*\(", re.I)
PKG_CMAKE = re.compile(r"\bpkg_(?:check|search)_modules?\s*\(", re.I)
FIND_PART = re.compile(r"\bfind_(library|program|path|file)\s*\(", re.I)
CHECK_CMAKE = re.compile(
    r"\b(check_include_files?|check_include_file_cxx|check_library_exists|check_symbol_exists)\s*\(", re.I
)
LINK_CMAKE = re.compile(r"\b(?:target_)?link_libraries\s*\(", re.I)
CMAKE_WORDS = frozenset(listed("cmake_words"))

MESON_CALL = re.compile(r"\b(dependency|find_program|find_library|has_header|check_header|import)\s*\(")
QUOTED = re.compile(r"'([^'\n]*)'")


def autoconf(file: Text) -> Iterator[Signal]:
    text = COMMENT_M4.sub(lambda match: " " * len(match[0]), file.text)
    for match, inside in calls(text, PKG):
        parts = arguments(inside)
        at = 0 if "EXISTS" in match[0] else 1
        for name in words_of(parts[at] if len(parts) > at else ""):
            yield Signal(
                "pkg-config", name, file.at(match.start()), len(parts) > 3 and bool(LATER.search("[" + parts[3]))
            )
    for match, inside in calls(text, CHECK_LIB):
        if names := words_of(arguments(inside)[0]):
            yield Signal("library", names[0], file.at(match.start()), "error" not in inside.lower())
    for match, inside in calls(text, SEARCH):
        parts = arguments(inside)
        for name in words_of(parts[1] if len(parts) > 1 else ""):
            yield Signal("library", name, file.at(match.start()), "error" not in inside.lower())
    for match, inside in calls(text, HEADERS):
        for name in words_of(arguments(inside)[0]):
            if ".h" in name:
                yield Signal("header", name, file.at(match.start()), "error" not in inside.lower())
    for match, inside in calls(text, PROGS):
        parts = arguments(inside)
        for name in words_of(" ".join(parts[1:2])):
            yield Signal("program", name, file.at(match.start()), "error" not in inside.lower())
    for match in MACRO.finditer(text):
        if not PLAIN_MACROS.match(match[1]):
            yield Signal("macro", match[1], file.at(match.start(1)))
    yield from run_tools(file, text)


def run_tools(file: Text, text: str) -> Iterator[Signal]:
    for match in LINKED.finditer(text):
        yield Signal("library", match[1], file.at(match.start()), True)
    for match in CONFIG_TOOL.finditer(text):
        if match[1] not in ("pkg", "re", "auto"):
            yield Signal("program", f"{match[1]}-config", file.at(match.start()), True)
    for match in PKG_CONFIG_RUN.finditer(text):
        for name in match[2].split():
            yield Signal("pkg-config", name, file.at(match.start()))
    for match in INCLUDED.finditer(text):
        yield Signal("header", match[1], file.at(match.start()), True)


def makefile(file: Text) -> Iterator[Signal]:
    yield from run_tools(file, file.text)
    for match in RULE.finditer(file.text):
        yield Signal("program", match[1], file.at(match.start(1)), True)


def cmake(file: Text) -> Iterator[Signal]:
    text = COMMENT.sub(lambda match: " " * len(match[0]), file.text)
    for match, inside in calls(text, FIND):
        words = inside.split()
        if words:
            must = any(word.upper() == "REQUIRED" for word in words)
            yield Signal("cmake", words[0].strip('"').lower(), file.at(match.start()), not must)
            for part in words_of(" ".join(words[1:])):
                if part.lower() not in CMAKE_WORDS:
                    yield Signal(
                        "cmake", f"{words[0].strip(chr(34))}::{part}".lower(), file.at(match.start()), not must
                    )
    for match, inside in calls(text, PKG_CMAKE):
        must = "REQUIRED" in inside
        for name in words_of(inside)[1:]:
            if name.lower() not in CMAKE_WORDS:
                yield Signal("pkg-config", name, file.at(match.start()), not must)
    for match, inside in calls(text, FIND_PART):
        kind = {"library": "library", "program": "program"}.get(match[1].lower(), "header")
        for name in words_of(inside)[1:4]:
            if name.lower() not in CMAKE_WORDS and (kind != "header" or ".h" in name):
                yield Signal(kind, name, file.at(match.start()))
    for match, inside in calls(text, CHECK_CMAKE):
        kind = "library" if "library" in match[1].lower() else "header"
        for name in words_of(inside):
            if kind == "library" or ".h" in name:
                yield Signal(kind, name, file.at(match.start()), True)
                break
    for match, inside in calls(text, LINK_CMAKE):
        for name in words_of(inside)[1:]:
            if name.lower() not in CMAKE_WORDS and "::" not in name:
                yield Signal("library", name.removeprefix("-l"), file.at(match.start()), True)
    yield from run_tools(file, text)


def meson(file: Text) -> Iterator[Signal]:
    text = COMMENT.sub(lambda match: " " * len(match[0]), file.text)
    kinds = {"dependency": "pkg-config", "find_program": "program", "find_library": "library", "import": "macro"}
    for match, inside in calls(text, MESON_CALL):
        optional = (
            bool(re.search(r"required\s*:\s*(?:false|get_option|\w+)", inside)) and "required: true" not in inside
        )
        kind = kinds.get(match[1], "header")
        names = QUOTED.findall(arguments(inside)[0] if kind != "program" else inside.split("required")[0])
        for name in names[:3]:
            if name and not name.startswith((">", "<", "=")):
                yield Signal(kind, f"meson:{name}" if kind == "macro" else name, file.at(match.start()), optional)
