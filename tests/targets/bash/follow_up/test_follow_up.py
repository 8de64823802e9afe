"""Follow-ups: each edit does what was said to the command before it, and says so in one line where it cannot."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash import language
from sayso.targets.bash.follow_up.follow_ups import DATA, EDITS, follow, follow_up, is_undo, moves
from sayso.targets.bash.knowledge.utilities import find_utility
from sayso.targets.bash.syntax.parser import parse
from sayso.targets.bash.syntax.tree import commands

# First command, follow-up, the edited command.
# ruff: noqa: E501
TABLE = r"""
ls -l :: only the newest five :: ls -lt | head -n 6
ls :: the three oldest :: ls -tr | head -n 3
ls :: also hidden ones :: ls -A
ls :: include dotfiles :: ls -A
ls :: sort by size :: ls -S
ls :: sort by size, smallest first :: ls -Sr
ls :: only directories :: ls -d */
grep -rl cheese . :: but not wine :: grep -rlZ cheese . | xargs -0 -r grep -L wine
grep cheese menu.txt :: but not wine :: grep cheese menu.txt | grep -v wine
grep -rn cheese . :: but not vendor :: grep --exclude-dir=vendor -rn cheese .
grep cheese menu.txt :: don't care about capitals :: grep -i cheese menu.txt
grep cheese menu.txt :: capitals don't matter :: grep -i cheese menu.txt
cut -d, -f2 menu.csv :: ordered by frequency :: cut -d, -f2 menu.csv | sort | uniq -c | sort -rn
ls :: no folders :: find . -mindepth 1 -maxdepth 1 -not -name '.*' -type f
ls :: with details :: ls -lh
ls :: larger than 1M :: find . -mindepth 1 -maxdepth 1 -not -name '.*' -type f -size +1M
ls :: recursively :: ls -R
ls :: one per line :: ls -1
ls :: add -Q :: ls -Q
ls :: count them :: ls | wc -l
ls -l :: count them :: ls | wc -l
ls -l :: human readable :: ls -lh
ls -la :: without hidden files :: ls -l
ls -la :: only the names :: ls -a
ls -lS :: reverse the order :: ls -lSr
ls -lt | head -n 6 :: make it ten :: ls -lt | head -n 11
ls /etc :: sort by date :: ls -t /etc
ls -t /etc :: oldest first :: ls -tr /etc
ls /tmp :: older than 7 days :: find /tmp -mindepth 1 -maxdepth 1 -not -name '.*' -mtime +7
ls *.txt :: in docs/ instead :: ls docs/*.txt
ls | sort :: in one line separated by commas :: ls | sort | paste -sd ,
ls -1 | wc -l :: also hidden ones :: ls -A -1 | wc -l
cd /tmp && ls :: also hidden ones :: cd /tmp && ls -A
find . -name '*.py' :: only the newest five :: find . -name '*.py' -printf '%T@ %p\n' | sort -rn | head -n 5 | cut -d' ' -f2-
find . -name '*.py' :: full paths :: find "$PWD" -name '*.py'
find . -name '*.py' :: how many lines are in each :: find . -name '*.py' -exec wc -l {} +
find . -name '*.py' :: zip them as src.zip :: find . -name '*.py' | zip src.zip -@
find . -name '*.py' :: archive them into src.tar.gz :: find . -name '*.py' -print0 | tar -czf src.tar.gz --null -T -
find . -name '*.log' :: count them :: find . -name '*.log' | wc -l
find . -name '*.log' :: delete them :: find . -name '*.log' -delete
find . -name '*.log' :: containing ERROR :: find . -name '*.log' -exec grep -l ERROR {} +
find . -name '*.log' :: but in /var/log and older than a week :: find /var/log -name '*.log' -mtime +7
find . -name '*.log' -mtime +7 :: older than 30 days :: find . -name '*.log' -mtime +30
find . -name '*.log' :: with error in their name :: find . -name '*.log' -name '*error*'
find . -name '*.JPG' :: case insensitive :: find . -iname '*.JPG'
find . -iname '*.jpg' :: copy them to ~/pics :: find . -iname '*.jpg' -exec cp -t ~/pics {} +
find . -name '*.tmp' :: move them to /tmp/old :: find . -name '*.tmp' -exec mv -t /tmp/old {} +
find . -name "*.txt" :: changed today :: find . -name "*.txt" -daystart -mtime 0
find . -name '*.c' -o -name '*.h' :: larger than 1M :: find . \( -name '*.c' -o -name '*.h' \) -size +1M
find . -type f :: in /var/log instead :: find /var/log -type f
find . -type f :: larger than 10 MB :: find . -type f -size +10M
find . -type f :: modified in the last 2 days :: find . -type f -mtime -2
find . -type f :: changed in the last 30 minutes :: find . -type f -mmin -30
find . -type f :: except node_modules :: find . -type f -not -path '*/node_modules/*'
find . -type f :: excluding *.log :: find . -type f -not -name '*.log'
find . -type f :: without hidden files :: find . -type f -not -path '*/.*'
find . -type f :: only python files :: find . -type f -name '*.py'
find . -type f :: only .md files :: find . -type f -name '*.md'
find . -type f :: only in this folder :: find . -maxdepth 1 -type f
find . -type f :: with sizes :: find . -type f -ls
find . -type f :: only the names :: find . -type f -printf '%f\n'
find . -type f :: not empty :: find . -type f -not -empty
find . -type f :: owned by root :: find . -type f -user root
find . -type f :: as csv :: find . -type f -printf '%p,%s,%TY-%Tm-%Td\n'
find . -type f :: save it to files.txt :: find . -type f > files.txt
find . -type f :: null separated :: find . -type f -print0
find . -type f :: follow symlinks :: find -L . -type f
find . -type f :: sort by name :: find . -type f | sort
find . -type f -size +100M :: only the biggest three :: find . -type f -size +100M -printf '%s %p\n' | sort -rn | head -n 3 | cut -d' ' -f2-
find . -maxdepth 1 -type f :: recursively :: find . -type f
find . -type d -empty :: delete them :: find . -type d -empty -delete
find . -type f | head -n 10 :: make it 20 :: find . -type f | head -n 20
find . -type f -delete :: ask before each :: find . -type f -ok rm -- {} \;
find / -name core :: without errors :: find / -name core 2>/dev/null
find / -name core :: as root :: sudo find / -name core
sudo find / -name x :: without sudo :: find / -name x
find . -type f -print0 | xargs -0 grep -l foo :: ignore case :: find . -type f -print0 | xargs -0 grep -li foo
find . -name '*.py' | xargs wc -l :: sort by number :: find . -name '*.py' | xargs wc -l | sort -nr
grep -n foo *.txt :: recursively :: grep --include='*.txt' -nr foo .
grep -rn foo . :: case insensitive :: grep -rni foo .
grep foo a.txt :: with line numbers :: grep -n foo a.txt
grep -rl foo . :: delete them :: grep -rlZ foo . | xargs -0 -r rm --
grep -r TODO . :: skip node_modules :: grep --exclude-dir=node_modules -r TODO .
grep -rn TODO src :: only python files :: grep --include='*.py' -rn TODO src
grep -rn TODO src :: whole words only :: grep -rnw TODO src
grep -rn TODO src :: with 3 lines of context :: grep -C 3 -rn TODO src
grep -rn TODO src :: two lines after :: grep -A 2 -rn TODO src
grep -rn TODO src :: just the file names :: grep -rnl TODO src
grep error app.log :: not matching :: grep -v error app.log
grep error app.log :: only the first 20 :: grep error app.log | head -n 20
grep error app.log :: use warning instead of error :: grep warning app.log
grep error app.log :: count them :: grep -c error app.log
ps aux :: only the first 10 :: ps aux | head -n 11
ps aux :: sort by memory :: ps aux --sort=-%mem
ps aux :: top five by memory :: ps aux --sort=-%mem | head -n 6
ps aux :: of user root :: ps -f -u root
ps aux | grep nginx :: count them :: ps aux | grep -c nginx
du -sh * :: sort by size :: du -sh * | sort -hr
du -sh * | sort -rh | head -n 5 :: in /var instead :: du -sh /var/* | sort -rh | head -n 5
du -sh /home/* :: only the top five :: du -sh /home/* | sort -hr | head -n 5
du -h --max-depth=1 :: 3 levels deep :: du -d 3 -h
du -sh * :: as csv :: du -sh * | tr '\t' ','
df -h :: as csv :: df -h | awk -v OFS=, '{$1=$1; print}'
df -h :: sort by usage :: df -h | tail -n +2 | sort -hr -k3,3
git log :: only the last five :: git log -n 5
git log :: one line each :: git log --oneline
git log --oneline :: by user alice :: git log --author=alice --oneline
git log :: in the last 2 weeks :: git log --since='2 weeks ago'
git log :: with the patches :: git log -p
git diff :: only names :: git diff --name-only
git status :: in ~/src/app instead :: git -C ~/src/app status
docker ps :: also the stopped ones :: docker ps -a
docker ps :: count them :: docker ps -q | wc -l
cat notes.txt :: with line numbers :: cat -n notes.txt
cat a.csv | cut -d, -f2 :: unique :: cat a.csv | cut -d, -f2 | sort -u
cat a.csv | cut -d, -f2 | sort :: without duplicates :: cat a.csv | cut -d, -f2 | sort -u
cat access.log | awk '{print $1}' :: count each :: cat access.log | awk '{print $1}' | sort | uniq -c | sort -rn
sort names.txt :: case insensitive :: sort -f names.txt
sort names.txt :: reversed :: sort -r names.txt
wc -l *.py :: sort by size :: wc -l *.py | sort -nr
head -n 5 a.txt :: last 5 instead :: tail -n 5 a.txt
tail -n 5 a.txt :: 50 instead :: tail -n 50 a.txt
journalctl -u ssh -n 50 :: follow it :: journalctl -f -u ssh -n 50
tail -n 20 /var/log/syslog :: follow it :: tail -f -n 20 /var/log/syslog
tree :: two levels deep :: tree -L 2
tree :: also hidden files :: tree -a
cp a.txt b :: verbose :: cp -v a.txt b
cp -r a b :: keep timestamps :: cp -rp a b
cp a b :: ask first :: cp -i a b
rm -r build :: ask before each :: rm -ri build
mkdir a/b/c :: with parents :: mkdir -p a/b/c
chown bob a :: recursively as root :: sudo chown -R bob a
tar -czf backup.tar.gz project :: exclude node_modules :: tar --exclude=node_modules -czf backup.tar.gz project
tar czf backup.tar.gz project :: verbose :: tar vczf backup.tar.gz project
rsync -a src/ dst/ :: dry run :: rsync -an src/ dst/
curl https://example.com :: follow redirects :: curl -L https://example.com
journalctl -u nginx :: only the last 50 :: journalctl -n 50 -u nginx
journalctl -u nginx :: in the last 2 hours :: journalctl --since '2 hours ago' -u nginx
uptime :: every 5 seconds :: watch -n 5 uptime
ping example.com :: in the background :: ping example.com &
ss -tlnp :: only lines with 8080 :: ss -tlnp | grep 8080
ls :: show me the biggest first :: ls -S
ls :: just the last three :: ls | tail -n 3
ls -l :: with inode numbers :: ls -li
ls /var :: newest on top :: ls -t /var
ls :: but only those starting with a :: ls a*
find . -name '*.txt' :: exclude the vendor directory :: find . -name '*.txt' -not -path '*/vendor/*'
find . -name '*.txt' :: which were modified yesterday :: find . -name '*.txt' -daystart -mtime 1
find . -name '*.txt' :: larger than 5 kb :: find . -name '*.txt' -size +5k
find . -name '*.txt' :: smaller than 1 gigabyte :: find . -name '*.txt' -size -1G
find . -name '*.txt' :: sorted by date, oldest first :: find . -name '*.txt' -printf '%T@ %p\n' | sort -n | cut -d' ' -f2-
find . -name '*.txt' :: and show their sizes :: find . -name '*.txt' -ls
find . -name '*.txt' :: how many is that? :: find . -name '*.txt' | wc -l
find . -name '*.txt' :: remove those :: find . -name '*.txt' -delete
find . -name '*.txt' :: put them into backup :: find . -name '*.txt' -exec mv -t backup {} +
find . -name '*.txt' :: only in the current directory :: find . -maxdepth 1 -name '*.txt'
find . -name '*.txt' :: at most 3 levels deep :: find . -maxdepth 3 -name '*.txt'
find . -name '*.txt' :: use md instead of txt :: find . -name '*.md'
find . -name '*.txt' :: search my home folder instead :: find ~ -name '*.txt'
find . -name '*.txt' :: separated by null bytes :: find . -name '*.txt' -print0
find . -name '*.txt' :: belonging to alice :: find . -name '*.txt' -user alice
find . -type d :: only empty ones :: find . -type d -empty
find . -type d :: delete them please :: find . -type d -exec rm -r -- {} +
find . -type f :: newer than a day :: find . -type f -mtime -1
find . -type f :: write the list to list.txt :: find . -type f > list.txt
find . -type f :: append it to list.txt :: find . -type f >> list.txt
grep -rn error . :: ignoring upper and lower case :: grep -rni error .
grep -rn error . :: only in log files :: grep --include='*.log' -rn error .
grep -rn error . :: skip .git :: grep --exclude-dir=.git -rn error .
grep -rn error . :: show 2 lines before :: grep -B 2 -rn error .
grep -rn error . :: without the file names :: grep -rnh error .
grep -rn error . :: just count :: grep -rn error . | wc -l
grep -rn error . :: which files? :: grep -rnl error .
grep error app.log :: the last 10 only :: grep error app.log | tail -n 10
grep error app.log :: as whole words :: grep -w error app.log
grep error app.log :: everything except those :: grep -v error app.log
ps aux :: sorted by cpu usage :: ps aux --sort=-%cpu
ps aux :: the five hungriest :: ps aux --sort=-%mem | head -n 6
ps aux :: only python processes :: ps aux | grep python
ps aux :: belonging to root :: ps -f -u root
du -sh * :: largest first :: du -sh * | sort -hr
du -sh * :: in /home :: du -sh /home/*
du -sh * :: the three biggest :: du -sh * | sort -hr | head -n 3
du -sh . :: including each subfolder :: du -h .
df :: human readable please :: df -h
git log :: just 3 :: git log -n 3
git log :: short :: git log --oneline
git log :: since yesterday :: git log --since=yesterday
git log :: show what changed :: git log -p
git log --oneline :: with a graph :: git log --graph --oneline
cat a.txt :: number the lines :: cat -n a.txt
cat a.txt :: sorted :: cat a.txt | sort
cat a.txt :: without empty lines :: cat a.txt | grep -v '^$'
cat a.txt | sort :: in reverse :: cat a.txt | sort -r
head -n 20 a.txt :: 50 lines instead :: head -n 50 a.txt
tail -n 100 log :: only lines with ERROR :: tail -n 100 log | grep ERROR
tail log :: keep following :: tail -f log
cp a.txt b.txt :: do not overwrite :: cp -n a.txt b.txt
rm *.tmp :: ask me first :: rm -i *.tmp
tar -czf a.tgz src :: leave out *.o :: tar --exclude='*.o' -czf a.tgz src
rsync -av a/ b/ :: only simulate it :: rsync -avn a/ b/
docker ps :: all of them :: docker ps -a
sort f :: numerically :: sort -n f
wc -l f :: count words instead :: wc -w f
echo hi :: save as hi.txt :: echo hi > hi.txt
ls -lh /srv :: biggest at the top :: ls -lhS /srv
ls -lh /srv :: only the five largest :: ls -lhS /srv | head -n 6
ls :: in the docs folder :: ls docs
ls docs :: count those please :: ls docs | wc -l
ls :: and hidden files too :: ls -A
find /etc -name '*.conf' :: without permission errors :: find /etc -name '*.conf' 2>/dev/null
find /etc -name '*.conf' :: that contain Listen :: find /etc -name '*.conf' -exec grep -l Listen {} +
find /etc -name '*.conf' :: with full details :: find /etc -name '*.conf' -ls
find /etc -name '*.conf' :: show only 20 :: find /etc -name '*.conf' | head -n 20
find /etc -name '*.conf' :: not older than 10 days :: find /etc -name '*.conf' -mtime -10
find /etc -name '*.conf' :: changed within the last hour :: find /etc -name '*.conf' -mmin -60
find /etc -name '*.conf' :: run it as root :: sudo find /etc -name '*.conf'
find . -name '*.log' :: zip them up as logs.zip :: find . -name '*.log' | zip logs.zip -@
find . -name '*.log' :: what is their total size :: find . -name '*.log' -exec du -ch {} +
find . -name '*.log' :: sort by name in reverse :: find . -name '*.log' | sort -r
find . -name '*.log' -mtime +30 :: make it 60 days :: find . -name '*.log' -mtime +60
find . -size +100M :: raise it to 500M :: find . -size +500M
find . -size +100M :: and owned by www-data :: find . -size +100M -user www-data
find . -type f | xargs grep -l TODO :: ignore case :: find . -type f | xargs grep -li TODO
grep -c error app.log :: show the lines instead :: grep error app.log
grep foo *.md :: also in subfolders :: grep --include='*.md' -r foo .
grep foo notes.md :: or bar :: grep -e foo -e bar notes.md
ps aux :: refresh every 2 seconds :: watch -n 2 ps aux
du -sh * :: reverse order :: du -sh * | tac
du -sh * | sort -hr :: smallest first :: du -sh * | sort -h
git log --oneline :: only mine :: git log --author="$(git config user.name)" --oneline
git log --oneline :: of the last month :: git log --since='1 month ago' --oneline
git diff :: only the file names :: git diff --name-only
git diff :: what is staged :: git diff --staged
git branch :: including remote ones :: git branch -a
cat access.log | cut -d' ' -f1 :: most frequent first :: cat access.log | cut -d' ' -f1 | sort | uniq -c | sort -rn
cat access.log | cut -d' ' -f1 :: top ten most frequent :: cat access.log | cut -d' ' -f1 | sort | uniq -c | sort -rn | head -n 10
curl https://example.com/a.zip :: save it as a.zip :: curl https://example.com/a.zip > a.zip
curl https://example.com :: quietly :: curl -s https://example.com
tar -xzf a.tgz :: into /tmp/x :: tar -xzf a.tgz -C /tmp/x
journalctl -u ssh :: since yesterday :: journalctl --since=yesterday -u ssh
systemctl status nginx :: for apache2 instead :: systemctl status apache2
wc -l *.py :: including subfolders :: find . -name '*.py' -exec wc -l {} +
lsblk :: as json :: lsblk -J
sort names.txt | uniq -c :: the same for cities.txt :: sort cities.txt | uniq -c
wc -l a.log :: what about logs/b.log :: wc -l logs/b.log
head -n 20 a.csv :: and also b.csv :: head -n 20 a.csv b.csv
cp a.txt backup :: b.txt too :: cp a.txt b.txt backup
find . -name '*.jpg' :: no, png instead :: find . -name '*.png'
ls *.txt | wc -l :: i meant pdfs files :: ls *.pdf | wc -l
cp -r docs backup :: no, move it :: mv docs backup
mv a.txt b.txt /tmp :: copy them instead :: cp a.txt b.txt /tmp
rm old.txt :: move it to /tmp instead of deleting it :: mv old.txt /tmp
grep -c ERROR app.log :: in all log files here :: grep -c ERROR *.log
grep -c ERROR var/app.log :: for every log file :: grep -c ERROR var/*.log
du -sh * :: show hidden ones too :: du -sh .[!.]* *
find . -type f :: not the ones in .git :: find . -type f -not -path '*/.git/*'
find . -name '*.log' :: gzip each of them :: find . -name '*.log' -exec gzip {} +
grep -l TODO *.py :: md5sum them :: grep -lZ TODO *.py | xargs -0 -r md5sum --
sort a.csv :: by the third column, comma separated, as numbers :: sort -t , -k3,3n a.csv
sort -k1,1 a.txt :: by column 2 descending :: sort -k2,2r a.txt
ps aux :: sort by the fourth column, numerically, largest first :: ps aux | sort -k4,4nr
git log --oneline :: since monday :: git log --since=monday --oneline
find . -type f :: changed since 2024-05-31 :: find . -type f -newermt 2024-05-31
grep -r TODO src :: with two lines around every hit :: grep -C 2 -r TODO src
cp photos backup :: it is a folder, take everything in it :: cp -r photos backup
"""
ROWS = [tuple(row.split(" :: ")) for row in TABLE.strip().splitlines()]
REFUSED = [
    ("cat a.txt b.txt", "the same for c.txt", "it names several files: say which, as in `b.txt instead of a.txt`"),
    ("ls -l", "the same for c.txt", ""),
    ("ls *.txt *.md", "png instead", "it names several kinds: say which, as in `png instead of jpg`"),
    ("ls -l", "frobnicate each of them", 'I do not know how to change it by "frobnicate each of them"'),
    ("rm a.txt", "no, copy it", "say where to, as in `move it to /tmp`"),
    ("sort a.txt", "by column 0", "columns are counted from one"),
    ("ls", "make it purple", "I do not know how"),
    ("echo hi", "only the newest five", "no time to sort by"),
    ("git log --oneline", "newest first", "does that already"),
    ("find . -type f", "also hidden ones", "find does that already"),
    ("find . -type f -exec chmod 644 {} +", "only the newest five", "-exec leaves nothing to sort"),
    ("for f in *; do echo $f; done", "count them", "more than one pipeline"),
    ("df -h", "delete them", "no files to delete"),
    ("ls 'unclosed", "count them", "not edited"),
    ("uptime", "recursively", "uptime has no flag for that"),
    ("find . -type f -delete", "delete them", "already does something else"),
    ("ls", "add --frobnicate", "has no flag --frobnicate"),
    ("grep x f", "replace zebra with lion", "zebra does not stand in it"),
]


def test_the_table_is_as_long_as_it_should_be() -> None:
    assert len(ROWS) >= 80 and len({first for first, _, _ in ROWS}) >= 30


@pytest.mark.parametrize(("first", "words", "wanted"), ROWS, ids=[f"{a} | {b}" for a, b, _ in ROWS])
def test_the_last_answer_is_edited(first: str, words: str, wanted: str) -> None:
    found = follow_up(first, words)
    assert found and found[0].text == wanted
    assert found[0].why and all(one.why[0] for one in found)
    for one in found:
        language.normalise(one.text)
        assert [finding.message for finding in language.check(one.text)] == [f.message for f in language.check(first)]


@pytest.mark.parametrize(
    ("first", "words", "wanted"),
    [
        ("find . -name '*.c'", "in -delete instead", "find ./-delete -name '*.c'"),
        ("find . -name '*.c'", "in '-delete' instead", "find ./-delete -name '*.c'"),
        ("ls -l", "in '-rf' instead", "ls -l ./-rf"),
        ("ls -l", "save it to -rf", "ls -l > ./-rf"),
        ("ls -l", "in ~root instead", "ls -l '~root'"),
        ("ls -l", "in ~/a instead", "ls -l ~/a"),
    ],
)
def test_a_place_that_begins_with_a_dash_is_no_flag(first: str, words: str, wanted: str) -> None:
    assert [one.text for one in follow(first, words).candidates[:1]] == [wanted]


def test_a_word_is_not_swapped_for_a_flag() -> None:
    assert follow("grep -rn foo src", "use -f instead of foo").reason == "-f would be read as a flag"


@pytest.mark.parametrize(("first", "words", "reason"), REFUSED)
def test_what_cannot_be_applied_is_said_in_one_line(first: str, words: str, reason: str) -> None:
    followed = follow(first, words)
    assert followed.candidates == () and reason in followed.reason and "\n" not in followed.reason


def test_deleting_shows_its_risk_and_offers_to_ask() -> None:
    first, second = follow_up("find . -name '*.log'", "delete them")
    assert language.risk(first.text).level == "destroys" and language.risk("find . -name '*.log'").level == "reads"
    assert "-ok" in second.text and second.score < first.score


@pytest.mark.parametrize("words", ["undo that", "undo", "go back", "never mind", "no, undo that!"])
def test_undo_is_told_apart(words: str) -> None:
    assert is_undo(words)


def test_undo_in_a_longer_request_is_none() -> None:
    assert not is_undo("undo the last commit") and not is_undo("only the newest five")


def test_every_flag_of_the_table_exists() -> None:
    for row in tomllib.loads(DATA.read_text())["flag"]:
        for name, flag in row.get("add", {}).items():
            entry = find_utility(name)
            assert entry is not None, name
            is_whole = flag.startswith("--") or flag in entry.index
            for letter in [flag] if is_whole else [f"-{one}" for one in flag.split(" ")[0][1:]]:
                assert not letter or entry.flag(letter.split("=")[0].split(" ")[0]), (name, flag)


def test_every_edit_is_used_and_every_move_can_be_said() -> None:
    named = {row["edit"] for row in tomllib.loads(DATA.read_text())["move"]}
    assert named == set(EDITS) and len(moves()) > 70


@given(st.sampled_from([first for first, _, _ in ROWS]), st.sampled_from([words for _, words, _ in ROWS]))
def test_any_follow_up_on_any_command_is_sound_or_refused(first: str, words: str) -> None:
    followed = follow(first, words)
    assert bool(followed.candidates) != bool(followed.reason)
    for one in followed.candidates:
        language.normalise(one.text)
        assert one.text != first


@given(st.text(max_size=60))
def test_no_words_make_it_fail(words: str) -> None:
    follow("find . -name '*.py' | head -n 3", words)


PAYLOADS = [
    "; rm -rf ~",
    "$(rm -rf ~)",
    "`rm -rf ~`",
    "' ; rm x ; '",
    "a;rm",
    "$(rm)",
    "`rm`",
    "x'|rm",
    'x"|rm',
    "&&rm",
    ">rm",
]
SAYS = [
    "in {} instead", "containing {}", "except {}", "save it to {}", "use {} instead of txt", "replace txt with {}",
    "add --color={}", "copy them to {}", "named {}", "starting with {}", "or {}", "archive them as {}", "tee it to {}",
    "only lines with {}", "with {} in their name", "only {} files", "owned by {}",
]  # fmt: skip


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("quoted", ["{}", '"{}"'])
@pytest.mark.parametrize("first", ["find . -name '*.txt'", "grep -r txt .", 'grep "txt" f', "ls *.txt", "ls -l"])
def test_what_is_said_never_becomes_shell_text(first: str, payload: str, quoted: str) -> None:
    for say in SAYS:
        for one in follow_up(first, say.format(quoted.format(payload))):
            assert "rm" not in {command.utility for command in commands(parse(one.text))}, one.text


def shown(command: str, folder: Path) -> list[str]:
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Seven files, f0 the oldest and the largest, .hidden beside them, one more in a folder."""
    for at in range(7):
        one = tmp_path / f"f{at}.txt"
        one.write_text("x\n" * (70 - 10 * at))
        os.utime(one, (1_700_000_000 + at * 1000,) * 2)
    (tmp_path / ".hidden").write_text("h\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "g.txt").write_text("Needle\n")
    os.utime(tmp_path / "sub" / "g.txt", (1_600_000_000, 1_600_000_000))
    return tmp_path


RUN = [
    ("ls *.txt", "only the newest two", ["f6.txt", "f5.txt"]),
    ("find . -name 'f*.txt'", "only the newest two", ["./f6.txt", "./f5.txt"]),
    ("find . -name 'f*.txt'", "the biggest one", ["./f0.txt"]),
    ("find . -type f", "count them", ["9"]),
    ("find . -type f", "without hidden files and count them", ["8"]),
    ("find . -type f", "only in this folder and count them", ["8"]),
    ("ls", "count them", ["8"]),
    ("ls", "also hidden ones and count them", ["9"]),
    ("ls", "only directories", ["sub/"]),
    ("ls", "larger than 100 bytes", ["./f0.txt", "./f1.txt"]),
    ("grep -l needle *.txt sub/*.txt", "case insensitive", ["sub/g.txt"]),
    ("find . -name 'g*'", "containing Needle", ["./sub/g.txt"]),
    ("ls *.txt", "first two as one line, comma separated", ["f0.txt,f1.txt"]),
    ("find . -name 'f[12].txt'", "only the names and sort by name", ["f1.txt", "f2.txt"]),
]


@pytest.mark.parametrize(("first", "words", "wanted"), RUN)
def test_what_the_edited_command_prints(first: str, words: str, wanted: list[str], folder: Path) -> None:
    found = follow_up(first, words)
    assert found
    printed = shown(found[0].text, folder)
    assert (sorted(printed) if "larger" in words else printed) == wanted


def left(folder: Path) -> list[str]:
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*"))


def test_deleting_the_newest_five_of_a_long_listing_deletes_five(folder: Path) -> None:
    newest = follow_up("ls -l *.txt", "only the newest five")[0].text
    shown(follow_up(newest, "delete them")[0].text, folder)
    assert left(folder) == [".hidden", "f0.txt", "f1.txt", "sub", "sub/g.txt"]


def test_deleting_what_another_folder_holds_deletes_it_there(folder: Path) -> None:
    (folder / "g.txt").write_text("the same name here")
    shown(follow_up("ls sub", "delete them")[0].text, folder)
    assert "g.txt" in left(folder) and "sub/g.txt" not in left(folder)


@pytest.mark.parametrize(
    "first",
    ["ls sub | head -n 3", "ls -R", "find . | sort | uniq -c", "find . | grep -n x", "find . | cut -d. -f2", "cat f | sort",
     "ls -s | head", "wc -l *"],
)  # fmt: skip
def test_what_prints_no_names_that_hold_here_is_not_deleted(first: str) -> None:
    assert all("rm" not in one.text for one in follow_up(first, "delete them"))


def test_deleting_deletes_what_was_listed(folder: Path) -> None:
    shown(follow_up("find . -name 'f[0-3].txt'", "delete them")[0].text, folder)
    shown(follow_up("grep -rl Needle .", "delete them")[0].text, folder)
    assert sorted(one.name for one in folder.rglob("*")) == [".hidden", "f4.txt", "f5.txt", "f6.txt", "sub"]


@pytest.mark.parametrize(
    ("first", "words", "wanted"),
    [
        ("zip -r p.zip photos", "with a password", "zip -re p.zip photos"),
        ("wc -l a.txt", "words not lines", "wc -w a.txt"),
        ("wc -l a.txt", "words as well", "wc -lw a.txt"),
        ("tar -czf a.tar.gz docs", "use xz", "tar -J -cf a.tar.xz docs"),
        ("grep -r foo .", "skip binary files", "grep -rI foo ."),
        ("diff a.txt b.txt", "side by side", "diff -y a.txt b.txt"),
        ("cp -r docs backup", "only what is newer", "cp -ru docs backup"),
        ("git log", "with the patches", "git log -p"),
        ("du -sh *", "sorted, biggest last", "du -sh * | sort -h"),
        ("git log --oneline", "only last week", "git log --since='last week' --oneline"),
        ("cat a.csv", "only the second column", "cat a.csv | cut -d , -f 2"),
        ("ps aux", "just the first column", "ps aux | awk '{print $1}'"),
        ("mv a.txt b/", "copy instead", "cp a.txt b/"),
        ("tail -n 20 app.log", "and keep watching it", "tail -f -n 20 app.log"),
        ("free -h", "and keep watching it", "watch free -h"),
        ("find . -name '*.py'", "how many lines do they have", "find . -name '*.py' -exec wc -l {} +"),
    ],
)
def test_a_flag_that_says_so_and_other_ways_to_say_a_change(first: str, words: str, wanted: str) -> None:
    assert [one.text for one in follow(first, words).candidates[:1]] == [wanted]


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("rsync -a a/ b/", "delete"),
        ("rsync -a a/ b/", "delete extraneous files"),
        ("git branch old", "force deletion"),
    ],
)
def test_no_flag_that_loses_something_is_put_in_for_a_word(first: str, words: str) -> None:
    assert all(language.risk(one.text).level != "destroys" for one in follow(first, words).candidates)
