"""Small projects of our own whose README says what their build files alone do not tell.

Twelve kinds of such words, two projects of each: one to choose by, one held out. All were written before the planner
was changed. `right` is what must hold of what was installed, as a shell script that runs over it; it cannot hold where
the README's words are not followed, but for luck. Read by `python -m benchmarks.readme_plans`.
"""

# Files as they are: lines of theirs stand whole.
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

ADD_C = '#include "add.h"\nint add(int a, int b) { return a + b; }\n'
ADD_H = "#ifndef ADD_H\n#define ADD_H\nint add(int, int);\n#endif\n"
MAIN_C = '#include "add.h"\n#include <stdio.h>\nint main(void) { printf("%d\\n", add(1, 2)); return 0; }\n'
ADDS: dict[str, str] = {"add.c": ADD_C, "add.h": ADD_H}


@dataclass(frozen=True)
class ReadmeProject:
    kind: str
    half: Literal["choose", "held"]
    right: str
    files: dict[str, str] = field(default_factory=dict)


PROJECTS: dict[str, ReadmeProject] = {
    "two-cores": ReadmeProject(
        "folder",
        "choose",
        "test -f /usr/local/lib/libadd.a",
        {
            "README.md": "# Two cores\n\nThe library lives in `src/core`. `src/legacy` is kept for reference and no longer\ncompiles.\n\n## Building\n\n```\ncd src/core\nmake\nsudo make install PREFIX=/usr\n```\n",
            "src/core/Makefile": "PREFIX = /usr\nall: libadd.a\nlibadd.a: add.c\n\tgcc -c add.c\n\tar rcs $@ add.o\ninstall:\n\tmkdir -p $(PREFIX)/lib $(PREFIX)/include\n\tcp libadd.a $(PREFIX)/lib\n\tcp add.h $(PREFIX)/include\n",
            **{f"src/core/{name}": text for name, text in ADDS.items()},
            "src/legacy/Makefile": "PREFIX = /usr\nall:\n\tgcc -c old.c\n\tar rcs libold.a old.o\ninstall:\n\tmkdir -p $(PREFIX)/lib\n\tcp libold.a $(PREFIX)/lib\n",
            "src/legacy/old.c": "int old(void) { return GONE; }\n",
        },
    ),
    "site-on-top": ReadmeProject(
        "folder",
        "held",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README": "adder - adds numbers\n\nThe Makefile up here only makes the web site. The tool itself is built from\nits own folder:\n\n   make -C tool\n   make -C tool install\n\nUsage: adder\n",
            "Makefile": "prefix = /usr/local\nall:\n\tmkdir -p site\n\tcp index.html site\ninstall: all\n\tmkdir -p $(prefix)/share/doc/adder\n\tcp site/index.html $(prefix)/share/doc/adder\n",
            "index.html": "<h1>adder</h1>\n",
            "tool/Makefile": "prefix = /usr/local\nadder: main.c add.c\n\tgcc -o adder main.c add.c\ninstall: adder\n\tmkdir -p $(prefix)/bin\n\tcp adder $(prefix)/bin\n",
            "tool/main.c": MAIN_C,
            **{f"tool/{name}": text for name, text in ADDS.items()},
        },
    ),
    "no-default-backend": ReadmeProject(
        "configure flag",
        "choose",
        "/usr/local/bin/keeper | grep -q memory",
        {
            "README": "KEEPER\n\nInstallation\n------------\nThere is no default backend, so one must be named:\n\n    ./configure --with-backend=memory\n    make\n    make install\n\nSee doc/ for more.\n",
            "configure": '#!/bin/sh\nprefix=/usr/local backend=\nfor one; do case $one in\n--prefix=*) prefix=${one#*=};;\n--with-backend=*) backend=${one#*=};;\nesac; done\nif [ -z "$backend" ]; then echo "error: no backend chosen" >&2; exit 1; fi\nsed -e "s,@prefix@,$prefix," -e "s,@backend@,$backend," Makefile.in >Makefile\n',
            "Makefile.in": 'prefix=@prefix@\nall: keeper\nkeeper: keeper.c\n\tgcc -DBACKEND=\\"@backend@\\" -o keeper keeper.c\ninstall: keeper\n\tmkdir -p $(prefix)/bin\n\tcp keeper $(prefix)/bin\n',
            "keeper.c": "#include <stdio.h>\nint main(void) { puts(BACKEND); return 0; }\n",
        },
    ),
    "library-on-request": ReadmeProject(
        "configure flag",
        "held",
        "test -f /usr/local/lib/libadd.a && test -x /usr/local/bin/adder",
        {
            "INSTALL.md": "# Installing\n\nBy default only the command is built. Pass `--enable-library` to configure if you want other\nprograms to link with us, which distributions should do:\n\n```sh\n$ ./configure --prefix=/usr --enable-library\n$ make\n$ sudo make install\n```\n",
            "README.md": "# adder\n\nAdds. See INSTALL.md.\n",
            "configure": '#!/bin/sh\nprefix=/usr/local\nwith=adder\nfor one; do case $one in\n--prefix=*) prefix=${one#*=};;\n--enable-library) with="adder libadd.a";;\nesac; done\nsed -e "s,@prefix@,$prefix," -e "s,@with@,$with," Makefile.in >Makefile\n',
            "Makefile.in": "prefix=@prefix@\nMADE=@with@\nall: $(MADE)\nadder: main.c add.c\n\tgcc -o adder main.c add.c\nlibadd.a: add.c\n\tgcc -c add.c\n\tar rcs libadd.a add.o\ninstall: all\n\tmkdir -p $(prefix)/bin $(prefix)/lib $(prefix)/include\n\tcp adder $(prefix)/bin\n\tif test -f libadd.a; then cp libadd.a $(prefix)/lib; cp add.h $(prefix)/include; fi\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "release-target": ReadmeProject(
        "target",
        "choose",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README.md": "# adder\n\n## Compile and install\n\nRun `make release` and then `make install` (as root). Plain `make` lists all targets.\n\n## Tests\n\n`make check`\n",
            "Makefile": "PREFIX ?= /usr/local\nhelp:\n\t@echo targets: release, debug, check, install\nrelease:\n\tmkdir -p out\n\tgcc -O2 -o out/adder main.c add.c\ndebug:\n\tmkdir -p out\n\tgcc -g -o out/adder-debug main.c add.c\ncheck: release\n\tout/adder | grep 3\ninstall:\n\tmkdir -p $(DESTDIR)$(PREFIX)/bin\n\tcp out/adder $(DESTDIR)$(PREFIX)/bin\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "static-target": ReadmeProject(
        "target",
        "held",
        "test -f /usr/local/lib/libadd.a && test -f /usr/local/include/add.h",
        {
            "README.txt": "ADD\n\nTo get the static library, which is all that most people need, say\n\n        make static\n        make install-static\n\nThe demonstration (make, make install) wants a terminal with sixel graphics.\n",
            "Makefile": "prefix=/usr/local\ndemo: demo.c add.c\n\tgcc -o demo demo.c add.c\nstatic:\n\tgcc -c add.c\n\tar rcs libadd.a add.o\ninstall-static:\n\tmkdir -p $(prefix)/lib $(prefix)/include\n\tcp libadd.a $(prefix)/lib\n\tcp add.h $(prefix)/include\ninstall: demo\n\tmkdir -p $(prefix)/bin\n\tcp demo $(prefix)/bin/add-demo\n",
            "demo.c": MAIN_C,
            **ADDS,
        },
    ),
    "flavour": ReadmeProject(
        "variable",
        "choose",
        "/usr/local/bin/taste | grep -q sweet",
        {
            "README": "taste 2.0\n=========\n\nSet FLAVOUR to either sweet or sour before you build:\n\n  export FLAVOUR=sweet\n  make\n  make install\n",
            "Makefile": 'prefix ?= /usr/local\nifndef FLAVOUR\n$(error FLAVOUR is not set)\nendif\nall: taste\ntaste: taste.c\n\t$(CC) -DFLAVOUR=\\"$(FLAVOUR)\\" -o taste taste.c\ninstall: all\n\tmkdir -p $(prefix)/bin\n\tcp taste $(prefix)/bin\n',
            "taste.c": "#include <stdio.h>\nint main(void) { puts(FLAVOUR); return 0; }\n",
        },
    ),
    "tables-elsewhere": ReadmeProject(
        "variable",
        "held",
        "/usr/local/bin/counter | grep -q 42",
        {
            "README.md": "counter\n-------\n\nThe number tables come in two sizes. Tell configure which by the environment, like so:\n\n    COUNTER_TABLES=data/small ./configure\n    make && make install\n",
            "configure": '#!/bin/sh\nprefix=/usr/local\nfor one; do case $one in --prefix=*) prefix=${one#*=};; esac; done\ntest -n "$COUNTER_TABLES" || { echo "configure: error: COUNTER_TABLES is empty" >&2; exit 1; }\nsed -e "s,@prefix@,$prefix," -e "s,@tables@,$COUNTER_TABLES," Makefile.in >Makefile\n',
            "Makefile.in": "prefix=@prefix@\ncounter: counter.c\n\t$(CC) -I@tables@ -o counter counter.c\ninstall: counter\n\tmkdir -p $(prefix)/bin\n\tcp counter $(prefix)/bin\n",
            "counter.c": '#include <stdio.h>\n#include "table.h"\nint main(void) { printf("%d\\n", TABLE); return 0; }\n',
            "data/small/table.h": "#define TABLE 42\n",
            "data/large/table.h": "#define TABLE 4242\n",
        },
    ),
    "tables-first": ReadmeProject(
        "script first",
        "choose",
        "/usr/local/bin/squares | grep -q 49",
        {
            "README.md": "# squares\n\nThe tables are not kept in the repository. Make them first with `sh tools/gen-tables.sh`,\nwhich writes `tables.h`. After that, `make` and `make install` do what you expect.\n",
            "tools/gen-tables.sh": "#!/bin/sh\nset -e\necho '#define SEVEN 49' >tables.h\n",
            "tools/publish.sh": "#!/bin/sh\nscp squares example.org:\n",
            "Makefile": "PREFIX = /usr/local\nall: squares\nsquares: squares.c\n\t$(CC) -o squares squares.c\ninstall: squares\n\tinstall -d $(PREFIX)/bin\n\tinstall squares $(PREFIX)/bin\n",
            "squares.c": '#include <stdio.h>\n#include "tables.h"\nint main(void) { printf("%d\\n", SEVEN); return 0; }\n',
        },
    ),
    "keywords-first": ReadmeProject(
        "script first",
        "held",
        "/usr/local/bin/words | grep -q while",
        {
            "README": "words\n\nRequirements: Python 3, CMake 3.10\n\nHow to build:\n\n 1. python3 scripts/keywords.py keywords.txt keywords.h\n 2. mkdir build && cd build\n 3. cmake ..\n 4. make\n 5. make install\n",
            "scripts/keywords.py": "import sys\nfrom pathlib import Path\nwords = Path(sys.argv[1]).read_text().split()\nPath(sys.argv[2]).write_text('#define WORDS \"' + ' '.join(words) + '\"\\n')\n",
            "keywords.txt": "if\nwhile\n",
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(words C)\nadd_executable(words words.c)\ninstall(TARGETS words DESTINATION bin)\n",
            "words.c": '#include <stdio.h>\n#include "keywords.h"\nint main(void) { puts(WORDS); return 0; }\n',
        },
    ),
    "cmake-is-broken": ReadmeProject(
        "alternatives",
        "choose",
        "/usr/local/bin/adder | grep -q 3 && test -f /usr/local/share/adder/rules",
        {
            "README.md": "# adder\n\nThere are two ways to build it.\n\n### With make (recommended)\n\n    make\n    make install\n\n### With CMake\n\nThis does not install the rules yet, so use it for development only.\n\n    cmake -B build\n    cmake --build build\n    cmake --install build\n",
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(adder C)\nadd_executable(adder main.c add.c)\ninstall(TARGETS adder DESTINATION bin)\n",
            "Makefile": "PREFIX = /usr/local\nadder: main.c add.c\n\tgcc -o adder main.c add.c\ninstall: adder\n\tmkdir -p $(PREFIX)/bin $(PREFIX)/share/adder\n\tcp adder $(PREFIX)/bin\n\tcp rules $(PREFIX)/share/adder\n",
            "rules": "none\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "unix-makefile": ReadmeProject(
        "alternatives",
        "held",
        "/usr/local/bin/adder | grep -q 3",
        {
            "readme.txt": "Adder for DOS, Windows and Unix\n\nWindows (Visual C++):\n    nmake\n\nLinux and other Unix systems:\n    make -f makefile.unx\n    make -f makefile.unx install\n\nDOS (Turbo C):\n    make -f makefile.dos\n",
            "makefile": "CFLAGS = /nologo /O2\nadder.exe: main.c add.c\n\tcl $(CFLAGS) /Feadder.exe main.c add.c\ninstall: adder.exe\n\tcopy adder.exe c:\\tools\n",
            "makefile.unx": "PREFIX = /usr/local\nadder: main.c add.c\n\tgcc -o adder main.c add.c\ninstall: adder\n\tmkdir -p $(PREFIX)/bin\n\tcp adder $(PREFIX)/bin\n",
            "makefile.dos": "adder.exe: main.c add.c\n\ttcc -ml main.c add.c\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "install-script": ReadmeProject(
        "prefix",
        "choose",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README": "Compile with `make`. Then run\n\n    ./install.sh /usr/local\n\nto copy the program below /usr/local (or name another folder).\n",
            "Makefile": "adder: main.c add.c\n\t$(CC) -o adder main.c add.c\nclean:\n\trm -f adder\n",
            "install.sh": '#!/bin/sh\nset -e\ntest -n "$1" || { echo "usage: install.sh PREFIX"; exit 1; }\nmkdir -p "$1/bin" "$1/share/adder"\ncp adder "$1/bin"\ncp rules "$1/share/adder"\n',
            "rules": "none\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "for-everybody": ReadmeProject(
        "prefix",
        "held",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README.md": "# adder\n\nBuild: `make`\n\n`make install` puts adder into your own `~/bin`. For all users of the machine, use\n`make install-system` instead, which honours `PREFIX`.\n",
            "Makefile": "PREFIX ?= /usr/local\nadder: main.c add.c\n\t$(CC) -o adder main.c add.c\ninstall: adder\n\tmkdir -p $(HOME)/bin\n\tcp adder $(HOME)/bin\ninstall-system: adder\n\tmkdir -p $(PREFIX)/bin\n\tcp adder $(PREFIX)/bin\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "sample-config": ReadmeProject(
        "copy first",
        "choose",
        "/usr/local/bin/greet | grep -q hello",
        {
            "README.md": "greet\n=====\n\nBuilding from source\n--------------------\n\n```bash\ngit clone https://example.org/greet.git\ncd greet\ncp config.mk.sample config.mk\nmake\nsudo make install\n```\n",
            "config.mk.sample": "GREETING = hello\nPREFIX = /usr/local\n",
            "Makefile": 'include config.mk\ngreet: greet.c\n\t$(CC) -DGREETING=\\"$(GREETING)\\" -o greet greet.c\ninstall: greet\n\tmkdir -p $(PREFIX)/bin\n\tcp greet $(PREFIX)/bin\n',
            "greet.c": "#include <stdio.h>\nint main(void) { puts(GREETING); return 0; }\n",
        },
    ),
    "one-of-conf": ReadmeProject(
        "copy first",
        "held",
        "/usr/local/bin/where | grep -q linux",
        {
            "INSTALL": "1) Copy one of the files in the conf folder to Make.conf, for instance\n\n   cp conf/linux.conf Make.conf\n\n2) Type make.\n\n3) Become root and type make install.\n",
            "conf/linux.conf": "HERE = linux\nTOP = /usr/local\n",
            "conf/hpux.conf": "HERE = hpux\nTOP = /opt\nCC = c89\n",
            "Makefile": '-include Make.conf\nwhere: where.c\n\ttest -n "$(HERE)"\n\t$(CC) -DHERE=\\"$(HERE)\\" -o where where.c\ninstall: where\n\tmkdir -p $(TOP)/bin\n\tcp where $(TOP)/bin\n',
            "where.c": "#include <stdio.h>\nint main(void) { puts(HERE); return 0; }\n",
        },
    ),
    "tool-is-an-option": ReadmeProject(
        "build option",
        "choose",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README.md": "# libadd\n\n## Build\n\nThe command line tool is off by default. To get everything:\n\n```\nmkdir build\ncd build\ncmake -DLIBADD_TOOL=ON -DCMAKE_BUILD_TYPE=Release ..\nmake\nmake test\nmake install\n```\n",
            "CMakeLists.txt": 'cmake_minimum_required(VERSION 3.10)\nproject(libadd C)\noption(LIBADD_TOOL "the tool" OFF)\nadd_library(add STATIC add.c)\ninstall(TARGETS add DESTINATION lib)\ninstall(FILES add.h DESTINATION include)\nif(LIBADD_TOOL)\n  add_executable(adder main.c)\n  target_link_libraries(adder add)\n  install(TARGETS adder DESTINATION bin)\nendif()\n',
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "meson-tool": ReadmeProject(
        "build option",
        "held",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README.rst": "libadd\n======\n\nlibadd uses meson_. The tool is optional; configure with ``-Dtool=true`` to have it::\n\n    meson setup _build -Dtool=true\n    ninja -C _build\n    ninja -C _build install\n\n.. _meson: https://mesonbuild.com\n",
            "meson.build": "project('libadd', 'c', version: '1.0')\nlib = static_library('add', 'add.c', install: true)\ninstall_headers('add.h')\nif get_option('tool')\n  executable('adder', 'main.c', link_with: lib, install: true)\nendif\n",
            "meson_options.txt": "option('tool', type: 'boolean', value: false)\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "library-then-tool": ReadmeProject(
        "order",
        "choose",
        "/usr/local/bin/adder | grep -q 3 && test -f /usr/local/lib/libadd.a",
        {
            "README": "Build and install the library first:\n\n    cd lib\n    make\n    make install\n\nThe tool finds it there:\n\n    cd ../tool\n    make\n    make install\n",
            "lib/Makefile": "PREFIX = /usr/local\nlibadd.a: add.c\n\tgcc -c add.c\n\tar rcs libadd.a add.o\ninstall: libadd.a\n\tmkdir -p $(PREFIX)/lib $(PREFIX)/include\n\tcp libadd.a $(PREFIX)/lib\n\tcp add.h $(PREFIX)/include\n",
            **{f"lib/{name}": text for name, text in ADDS.items()},
            "tool/Makefile": "PREFIX = /usr/local\nadder: main.c\n\tgcc -I/usr/local/include -o adder main.c -L/usr/local/lib -ladd\ninstall: adder\n\tmkdir -p $(PREFIX)/bin\n\tcp adder $(PREFIX)/bin\n",
            "tool/main.c": MAIN_C,
        },
    ),
    "bundled-part": ReadmeProject(
        "order",
        "held",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README.md": "# adder\n\nThe bundled copy of tiny has to be compiled before anything else:\n\n```\nmake -C third_party/tiny\nmake\n```\n\nInstall with `make install`.\n",
            "third_party/tiny/Makefile": "libtiny.a: tiny.c\n\tgcc -c tiny.c\n\tar rcs libtiny.a tiny.o\n",
            "third_party/tiny/tiny.c": "int add(int a, int b) { return a + b; }\n",
            "Makefile": "prefix = /usr/local\nadder: main.c\n\tgcc -o adder main.c third_party/tiny/libtiny.a\ninstall: adder\n\tmkdir -p $(prefix)/bin\n\tcp adder $(prefix)/bin\n",
            "main.c": MAIN_C,
            "add.h": ADD_H,
        },
    ),
    "old-configure": ReadmeProject(
        "warning",
        "choose",
        "/usr/local/bin/adder | grep -q 3 && ! test -e /usr/local/bin/adder-1",
        {
            "README": "adder 2\n\nDo not run ./configure: it is left over from version 1 and builds the old program. Just type\n`make` and then `make install`.\n",
            "configure": "#!/bin/sh\nprefix=/usr/local\nfor one; do case $one in --prefix=*) prefix=${one#*=};; esac; done\nsed s,@prefix@,$prefix, Makefile.in >Makefile\n",
            "Makefile.in": "prefix=@prefix@\nadder-1: old.c\n\tgcc -o adder-1 old.c\ninstall: adder-1\n\tmkdir -p $(prefix)/bin\n\tcp adder-1 $(prefix)/bin\n",
            "old.c": "int main(void) { return 1; }\n",
            "Makefile": "PREFIX = /usr/local\nadder: main.c add.c\n\tgcc -o adder main.c add.c\ninstall: adder\n\tmkdir -p $(PREFIX)/bin\n\tcp adder $(PREFIX)/bin\n",
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "maintainers-makefile": ReadmeProject(
        "warning",
        "held",
        "/usr/local/bin/adder | grep -q 3",
        {
            "README.md": "adder\n=====\n\nThe Makefile is for maintainers only, it rolls the release archive. Users run the build script:\n\n    ./build.sh\n    ./build.sh install\n\nSet `PREFIX` to install elsewhere than below /usr/local.\n",
            "Makefile": "dist:\n\ttar -cf adder.tar main.c add.c add.h\ninstall: dist\n\tmkdir -p /usr/local/share/adder\n\tcp adder.tar /usr/local/share/adder\n",
            "build.sh": '#!/bin/sh\nset -e\nprefix=${PREFIX:-/usr/local}\ncase "$1" in\ninstall) mkdir -p "$prefix/bin"; cp adder "$prefix/bin";;\n*) gcc -o adder main.c add.c;;\nesac\n',
            "main.c": MAIN_C,
            **ADDS,
        },
    ),
    "python-below": ReadmeProject(
        "language",
        "choose",
        "find /usr/local -path '*adderpy/__init__.py' | grep -q .",
        {
            "README.md": "# adder\n\nThis repository holds the C sources for microcontrollers (`firmware`, needs avr-gcc) and the Python package.\n\nTo install the Python package:\n\n```\ncd python\npip install .\n```\n",
            "firmware/Makefile": "all:\n\tavr-gcc -o adder.elf adder.c\ninstall:\n\tavrdude adder.elf\n",
            "firmware/adder.c": "int main(void) { return 0; }\n",
            "python/setup.py": "from setuptools import setup\nsetup(name='adderpy', version='1.0', packages=['adderpy'])\n",
            "python/adderpy/__init__.py": "def add(a, b):\n    return a + b\n",
        },
    ),
    "perl-tally": ReadmeProject(
        "language",
        "held",
        "find /usr/local -name Tally.pm | grep -q . && find /usr/local -name Adder.pm | grep -q .",
        {
            "README": "Adder\n\nINSTALLATION\n\nAdder::Tally is left out unless asked for:\n\n   perl Makefile.PL TALLY=1\n   make\n   make test\n   make install\n",
            "Makefile.PL": "use ExtUtils::MakeMaker;\nmy %modules = ('lib/Adder.pm' => '$(INST_LIB)/Adder.pm');\nif (grep { $_ eq 'TALLY=1' } @ARGV) {\n    $modules{'lib/Adder/Tally.pm'} = '$(INST_LIB)/Adder/Tally.pm';\n}\n@ARGV = grep { !/^TALLY=/ } @ARGV;\nWriteMakefile(NAME => 'Adder', VERSION => '1.0', PM => \\%modules);\n",
            "lib/Adder.pm": "package Adder;\nour $VERSION = '1.0';\nsub add { $_[0] + $_[1] }\n1;\n",
            "lib/Adder/Tally.pm": "package Adder::Tally;\nour $VERSION = '1.0';\n1;\n",
        },
    ),
}

TO = "PREFIX=/usr/local"
SOLUTIONS: dict[str, str] = {
    "two-cores": f"cd src/core && make && make install {TO}",
    "site-on-top": "make -C tool && make -C tool install",
    "no-default-backend": "./configure --with-backend=memory && make && make install",
    "library-on-request": "./configure --enable-library && make && make install",
    "release-target": "make release && make install",
    "static-target": "make static && make install-static",
    "flavour": "export FLAVOUR=sweet; make && make install",
    "tables-elsewhere": "COUNTER_TABLES=data/small ./configure && make && make install",
    "tables-first": "sh tools/gen-tables.sh && make && make install",
    "keywords-first": "python3 scripts/keywords.py keywords.txt keywords.h && cmake . && make && make install",
    "cmake-is-broken": "make && make install",
    "unix-makefile": "make -f makefile.unx && make -f makefile.unx install",
    "install-script": "make && ./install.sh /usr/local",
    "for-everybody": "make && make install-system",
    "sample-config": "cp config.mk.sample config.mk && make && make install",
    "one-of-conf": "cp conf/linux.conf Make.conf && make && make install",
    "tool-is-an-option": "cmake -DLIBADD_TOOL=ON . && make && make install",
    "meson-tool": "meson setup _build --prefix=/usr/local -Dtool=true && ninja -C _build install",
    "library-then-tool": "cd lib && make && make install && cd ../tool && make && make install",
    "bundled-part": "make -C third_party/tiny && make && make install",
    "old-configure": "make && make install",
    "maintainers-makefile": "./build.sh && ./build.sh install",
    "python-below": "cd python && python3 setup.py install --root=/ --prefix=/usr/local",
    "perl-tally": "perl Makefile.PL TALLY=1 && make && make install",
}
"""One script for each that makes `right` hold: `--prove` runs them."""
