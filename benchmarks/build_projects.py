"""Small projects of our own, one for each way in which sources are built: what planning and repair are chosen on.

A project is its files; `# x` after a path marks one that can be executed. Each installs something that can be used.
"""

# Files as they are: lines of theirs stand whole.
# ruff: noqa: E501

from __future__ import annotations

Project = dict[str, str]

ADD_C = '#include "add.h"\nint add(int a, int b) { return a + b; }\n'
ADD_H = "#ifndef ADD_H\n#define ADD_H\nint add(int, int);\n#endif\n"
MAIN_C = '#include "add.h"\n#include <stdio.h>\nint main(void) { printf("%d\\n", add(1, 2)); return 0; }\n'

PROJECTS: dict[str, Project] = {
    "plain-make": {
        "README": "Adder\n=====\n\nType `make`, then `make install PREFIX=/where/ever`.\n",
        "Makefile": "PREFIX = /usr\nCC = gcc\nall: libadd.a\nlibadd.a: add.o\n\tar rcs $@ add.o\ninstall: all\n"
        "\tmkdir -p $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include\n\tcp libadd.a $(DESTDIR)$(PREFIX)/lib\n"
        "\tcp add.h $(DESTDIR)$(PREFIX)/include\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "make-places": {
        "README.md": "# placer\n\n```\nmake\nsudo make install\n```\n",
        "Makefile": "BINDIR=/usr/bin\nMANDIR=/usr/share/man/man1\nall: placer\nplacer: main.c add.c\n\t$(CC) -o placer main.c add.c\n"
        "install: placer\n\tinstall -d $(BINDIR) $(MANDIR)\n\tinstall -o root -g root -m 755 placer $(BINDIR)/placer\n"
        "\tinstall -m 644 placer.1 $(MANDIR)\n",
        "main.c": MAIN_C,
        "add.c": ADD_C,
        "add.h": ADD_H,
        "placer.1": ".TH PLACER 1\n",
    },
    "make-no-install": {
        "README.md": "# summer\n\nRun `make` and copy `libadd.a` and `add.h` to your project.\n",
        "Makefile": "all: libadd.a summer\nlibadd.a: add.o\n\tar rcs libadd.a add.o\nsummer: main.o libadd.a\n"
        "\t$(CC) -o summer main.o libadd.a\nclean:\n\trm -f *.o\n",
        "main.c": MAIN_C,
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "make-linux": {
        "README": "Choose a platform: `make linux` or `make solaris`, then `make install`.\n",
        "Makefile": "INSTALL_TOP= /opt/adder\nnone:\n\t@echo please choose a platform\n\t@exit 1\nlinux: libadd.so\n"
        "libadd.so: add.c\n\tgcc -shared -fPIC -o libadd.so add.c\nsolaris:\n\tfalse\ninstall: libadd.so\n"
        "\tmkdir -p $(INSTALL_TOP)/lib $(INSTALL_TOP)/include\n\tcp libadd.so $(INSTALL_TOP)/lib\n"
        "\tcp add.h $(INSTALL_TOP)/include\n\tldconfig\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "autotools-source": {
        "README": "This is a checkout: run `autoreconf -fi`, then the usual `./configure && make && make install`.\n",
        "configure.ac": "AC_INIT([adder], [1.0])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAM_PROG_AR\nAC_PROG_RANLIB\n"
        "AC_CONFIG_FILES([Makefile adder.pc])\nAC_OUTPUT\n",
        "Makefile.am": "lib_LIBRARIES = libadd.a\nlibadd_a_SOURCES = add.c\ninclude_HEADERS = add.h\n"
        "pkgconfigdir = $(libdir)/pkgconfig\npkgconfig_DATA = adder.pc\n",
        "adder.pc.in": "prefix=@prefix@\nName: adder\nDescription: adds\nVersion: 1.0\nLibs: -L${prefix}/lib -ladd\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "configure-by-hand": {
        "INSTALL": "./configure\nmake\nmake install\n",
        "configure": "#!/bin/sh\nprefix=/usr\nfor one; do case $one in --prefix=*) prefix=${one#*=};; esac; done\n"
        "sed s,@prefix@,$prefix, Makefile.in > Makefile\n",
        "Makefile.in": "prefix=@prefix@\nall: libadd.so\nlibadd.so: add.c\n\tgcc -shared -fPIC -o libadd.so add.c\n"
        "install:\n\tmkdir -p $(prefix)/lib $(prefix)/include\n\tcp libadd.so $(prefix)/lib\n\tcp add.h $(prefix)/include\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "below": {
        "README": "The sources are in unix. To build:\n\n    cd unix\n    make\n    make install\n",
        "unix/Makefile": "prefix=/usr/local\nall: libadd.a\nlibadd.a: ../add.c\n\tgcc -c -I.. ../add.c\n\tar rcs libadd.a add.o\n"
        "install:\n\tmkdir -p $(prefix)/lib $(prefix)/include\n\tcp libadd.a $(prefix)/lib\n\tcp ../add.h $(prefix)/include\n",
        "win32/Makefile": "all:\n\tcl /nologo add.c\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "cmake-library": {
        "README.md": "## Building\n\n```sh\nmkdir build && cd build\ncmake ..\nmake\nsudo make install\n```\n",
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(adder C)\noption(ADDER_TESTS \"build tests\" ON)\n"
        "add_library(add add.c)\ninstall(TARGETS add DESTINATION lib)\ninstall(FILES add.h DESTINATION include)\n"
        "if(ADDER_TESTS)\n  find_package(GTest REQUIRED)\n  find_package(NeverHeardOf REQUIRED)\nendif()\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "cmake-shy": {
        "README.md": "Build it with cmake as usual.\n",
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(adder C)\nset(CMAKE_INSTALL_PREFIX /opt/adder CACHE PATH \"\")\n"
        "option(ADDER_INSTALL \"install it\" OFF)\nadd_library(add SHARED add.c)\nif(ADDER_INSTALL)\n"
        "  install(TARGETS add DESTINATION lib)\n  install(FILES add.h DESTINATION include)\nendif()\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "meson-library": {
        "README.md": "```\nmeson setup build\nninja -C build\nninja -C build install\n```\n",
        "meson.build": "project('adder', 'c', version: '1.0')\nlib = library('add', 'add.c', install: true)\n"
        "install_headers('add.h')\nimport('pkgconfig').generate(lib, description: 'adds')\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
    "header-only": {
        "README.md": "# only\n\nOne header. Copy `include/only` to where your compiler looks.\n",
        "include/only/only.h": "static inline int only(void) { return 1; }\n",
        "tests/Makefile": "all:\n\tgcc -I../include test.c\n",
        "tests/test.c": "#include <only/only.h>\nint main(void) { return !only(); }\n",
    },
    "two-libraries": {
        "README.md": "Two libraries, `one` and `two`; each has a Makefile: `make && make install` in each.\n",
        **{
            f"{name}/Makefile": f"PREFIX ?= /usr/local\nall: lib{name}.a\nlib{name}.a: {name}.c\n\tgcc -c {name}.c\n"
            f"\tar rcs lib{name}.a {name}.o\ninstall: all\n\tmkdir -p $(PREFIX)/lib $(PREFIX)/include\n"
            f"\tcp lib{name}.a $(PREFIX)/lib\n\tcp {name}.h $(PREFIX)/include\n"
            for name in ("one", "two")
        },
        **{f"{name}/{name}.c": f"int {name}(void) {{ return 1; }}\n" for name in ("one", "two")},
        **{f"{name}/{name}.h": f"int {name}(void);\n" for name in ("one", "two")},
    },
    "python-pure": {
        "README.rst": "Install with ``pip install .``\n",
        "setup.py": "from setuptools import setup\nsetup(name='adderpy', version='1.0', packages=['adderpy'])\n",
        "adderpy/__init__.py": "def add(a, b):\n    return a + b\n",
    },
    "perl-module": {
        "README": "perl Makefile.PL\nmake\nmake test\nmake install\n",
        "Makefile.PL": "use ExtUtils::MakeMaker;\nWriteMakefile(NAME => 'Adder', VERSION => '1.0');\n",
        "lib/Adder.pm": "package Adder;\nour $VERSION = '1.0';\nsub add { $_[0] + $_[1] }\n1;\n",
    },
    "warned": {
        "README": "make; make install\n",
        "Makefile": "prefix=/usr/local\nCFLAGS=-Wall -Werror -O2\nall: libadd.a\nlibadd.a: add.o odd.o\n\tar rcs libadd.a add.o odd.o\n"
        "install:\n\tinstall -D -m 644 libadd.a $(prefix)/lib/libadd.a\n\tinstall -D -m 644 add.h $(prefix)/include/add.h\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
        "odd.c": "int odd(void) { int unused = 1; return 3; }\n",
    },
    "forgetful": {
        "README": "make, make install\n",
        "Makefile": "prefix=/usr/local\nall: libadd.a\nlibadd.a: add.o\n\tar rcs libadd.a add.o\ninstall: all\n"
        "\tinstall -D -m 644 libadd.a $(prefix)/lib/libadd.a\ninstall-headers:\n\tinstall -D -m 644 add.h $(prefix)/include/add.h\n",
        "add.c": ADD_C,
        "add.h": ADD_H,
    },
}  # fmt: skip


def is_program(text: str) -> bool:
    return text.startswith("#!")
