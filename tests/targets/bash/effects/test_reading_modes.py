"""A mode that reads beside one that writes: of two modes none is sure to lose, so the one that writes is believed.

zstd and xz take the last that is said, `rpm -q -U` upgrades, tar and gpg refuse; `rsync -n` and `gzip -c` win always.
"""

from __future__ import annotations

import pytest
from benchmarks.prove_reads import compose_modes
from benchmarks.prover import called_reads, prove

from sayso.core.types import Sandbox
from sayso.targets.bash.effects.effects import ReadingMode, effects
from sayso.targets.bash.effects.flags import ORDER
from sayso.targets.bash.knowledge.utilities import Utility, find_utility
from sayso.targets.bash.language import risk

AT_LEAST = """
writes    zstd -t a.zst --compress
writes    zstd --compress -t a.txt
writes    zstd -l -d a.zst
writes    zstd -tz a.txt
writes    zstd --test --train samples
writes    zstd -c -o out a.txt
destroys  zstd -c --rm a.txt
writes    unzstd -t -d a.zst -o out.txt
writes    xz -l -z a.txt
writes    xz --test --decompress a.xz
writes    unxz -t --compress a.txt
writes    lzma -l -d a.lzma
writes    bzip2 --test --compress a.txt
writes    bunzip2 -t -z a.txt
writes    lz4 -t -z a.txt
destroys  lz4 --list --rm a.lz4
writes    cpio -o -p dir
writes    cpio -t --append
writes    tar -t -x -f a.tar
writes    tar --list --extract -f a.tar
writes    tar -tuf a.tar b
writes    tar --diff --append -f a.tar b
destroys  tar --delete -tf a.tar b
writes    rpm --install --query a.rpm
writes    rpm -q -i --install a.rpm
writes    rpm -qi -U a.rpm
writes    rpm -V -i a.rpm
writes    rpm --query --upgrade a.rpm
writes    rpm --checksig --import key.asc
writes    rpm -q --rebuilddb
writes    rpm -V --setperms bash
destroys  rpm -q -e bash
destroys  rpm --erase --query bash
writes    zip -o -sf a.zip
writes    zip -sf -lf log a.zip
destroys  zip -sf -d a.zip b
writes    unzip -v -T a.zip
writes    unzip -l -o a.zip
writes    gpg --list-keys --import key.asc
destroys  gpg --verify a.sig --delete-keys bob
writes    gpg -k --sign a.txt
writes    gpg -K --gen-key
writes    gpg --verify --auto-key-retrieve a.sig
writes    ssh-add -l -D
writes    ssh-add -L -k id
writes    chage -l -M 90 bob
writes    passwd -S -l bob
writes    hwclock --show --systohc
writes    hwclock -r -w
writes    swapon --show -a
destroys  kill -l -9 123
destroys  killall -l -9 bash
destroys  fdisk -l -w always /dev/sda
destroys  sfdisk -d --delete /dev/sda
destroys  sfdisk --dump --activate /dev/sda 1
writes    wipefs -n --backup=f /dev/sda
writes    logrotate -d -s state a.conf
writes    rsync -n --daemon
unknown   rsync -n -M--log-file=f a b
writes    wget --spider -O out url
writes    wget -O - -O out url
unknown   su -l
unknown   su -l bob
unknown   runuser -l bob
unknown   ssh -v host
unknown   ssh -k host
unknown   parallel -v
unknown   ls | parallel -k
unknown   flock -v
unknown   sudo -s -l
unknown   sudo -i -v
unknown   sudo -k -s
"""
STILL_READS = """
zstd -t a.zst
zstd -l -v a.zst
zstd -dc a.zst
zstd -c -19 a.txt
xz -dkc a.xz
xz -c -z a.txt
xz -l --robot a.xz
gzip -cd -f a.gz
gzip -l -d a.gz
bzip2 -tv a.bz2
lz4 -dc a.lz4
rpm -qi bash
rpm -qpi a.rpm
rpm -q --info bash
rpm -qa --last
rpm -qa --qf '%{NAME}'
rpm -qlp a.rpm
rpm -qf /bin/ls
rpm -Va
rpm -Vf /bin/ls
rpm -K a.rpm
tar -tvf a.tar
tar tzf a.tgz
tar -tf a.tar --wildcards '*.c'
tar -df a.tar
cpio -itv < a.cpio
cpio -it --no-absolute-filenames < a.cpio
unzip -tq a.zip
unzip -p a.zip x
unzip -lv a.zip
zip -sf a.zip
gpg --list-keys --with-colons
gpg --verify a.sig a
gpg -k --keyid-format long
chage -l bob
passwd -S -a
ssh-add -l -E md5
hwclock -r --utc
swapon --show --bytes
fdisk -l -u
sfdisk -l -o DEVICE
kill -l 9
rsync -avn --delete a/ b/
wipefs -n -a /dev/sda
mktemp -u --suffix=.x
patch -p1 --dry-run < a.diff
sudo -l
sudo -v
ssh -V
wget --spider -q url
wget -qO- url
systemctl status stop x
gunzip -t --keep a.gz
"""


@pytest.mark.parametrize("line", AT_LEAST.strip().splitlines())
def test_the_mode_that_writes_wins(line: str) -> None:
    level, command = line.split(maxsplit=1)
    found = risk(command)
    assert ORDER[found.level] >= ORDER[level] and found.words, found  # type: ignore[index]


@pytest.mark.parametrize("command", STILL_READS.strip().splitlines())
def test_a_mode_that_reads_stays_one_beside_what_changes_nothing(command: str) -> None:
    assert risk(command).level == "reads", risk(command)


def test_flags_beside_a_reading_mode_are_spelt_as_the_tool_has_them() -> None:
    """A misspelt one would quietly turn readers into writers."""
    rows: dict[ReadingMode, list[Utility]] = {}
    for name, modes in effects().reading.items():
        for mode in modes:
            rows.setdefault(mode, []).extend(filter(None, [find_utility(name)]))
    for mode, utilities in rows.items():
        unheard = {flag for flag in mode.beside if not any(one.flag(flag) for one in utilities)}
        assert mode.flags and not (unheard and any(one.flags for one in utilities)), unheard


@pytest.mark.sandbox
def test_no_reading_mode_changes_a_file_whatever_flag_stands_beside_it(sandbox: Sandbox) -> None:
    """`python -m benchmarks.prove_reads --modes` runs all of them; here those of tools that are quick to run."""
    names = ["zstd", "xz", "bzip2", "lz4", "gzip", "cpio"]
    called = called_reads(compose_modes(names)[::7], lambda command: risk(command).level)
    assert len(called) > 100 and prove(called, sandbox) == []
