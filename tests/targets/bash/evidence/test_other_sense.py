"""A command that does something else with what was said is doubted; the one that was meant is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash.evidence.other_sense import other_senses
from sayso.targets.bash.safety.unasked_deeds import spoken_words

# ruff: noqa: E501
# Request, the command that is meant, one in another sense.
TABLE = r"""
remove trailing spaces in all go files :: find . -name '*.go' -exec sed -i 's/ *$//' {} + :: find . -name '*.go' -exec rm {} \;
delete the first 3 lines of a.txt :: sed -i 1,3d a.txt :: find . -name a.txt -delete
row with code 4711 in b.csv :: awk -F, '$1 == 4711' b.csv :: awk -F, '$1 > 4711' b.csv
replace every occurrence of a with b in c.txt :: sed -i 's/a/b/g' c.txt :: sed -i 's/a/b/' c.txt
show rows 2-5 of b.csv :: sed -n '2,5p' b.csv :: tail -n +2 b.csv | head -n 5
delete the folder junk, which is not empty :: rm -r junk :: rmdir junk
compare the folders a1 and b1 :: diff -rq a1 b1 :: diff -q a1 b1
the contents of all txt files :: cat *.txt :: ls *.txt
move the pdfs to a folder called papers :: mkdir -p papers && mv *.pdf papers :: mv *.pdf papers
count missing values in column 3 of b.csv :: awk -F, '$3 == ""' b.csv | wc -l :: awk -F, '$3 == ""' b.csv
remove docker images older than 2 weeks :: docker image prune -a --filter until=336h :: find . -mtime +14 -delete
make /srv/x writable for group staff :: chgrp staff /srv/x && chmod g+w /srv/x :: chmod g+w /srv/x
print column 2 of the file points.dat :: awk '{print $2}' points.dat :: awk '{print $2}' file points.dat
grep for x1 in tsx files :: grep -rn --include='*.tsx' x1 . :: grep -rn x1 tsx
grep for x1 in src :: grep -rn x1 src :: grep -n x1 src
find a and b files and delete them :: find . \( -name '*.a' -o -name '*.b' \) -delete :: find . -name '*.a' -o -name '*.b' -delete
list everything but .git :: find . -name .git -prune -o -type f -print0 :: find . -name x -o -type f -print0
files not accessed for 9 days :: find . -atime +9 :: find . -mtime +9
delete all my branches :: git branch | xargs git branch -d :: git clean -fd
delete node_modules in all subfolders :: find . -type d -name node_modules -prune -exec rm -r {} + :: find . -type f -name node_modules -delete
run x.sh every sunday at 2 :: (crontab -l; echo '0 2 * * 0 x.sh') | crontab - :: (crontab -l; echo '0 2 * * * x.sh') | crontab -
list the tags sorted by date :: git tag --sort=creatordate :: git tag
remove the folders called old1 :: find . -type d -name old1 -exec rm -r {} + :: find . -type d -print0 | xargs -0 rm -r old1
move the old mp3s to /old :: find . -name '*.mp3' -exec mv {} /old \; :: find /old -name '*.mp3' -exec mv {} /old \;
rename a1 to b1 :: mv a1 b1 :: mv a1 b1 b1
rename the htm files to html :: for f in *.htm; do mv -- "$f" "${f%.htm}.html"; done :: for f in *.htm; do mv -- "$f" "${f%.htm}.htm"; done
make run.sh executable :: chmod +x run.sh :: chmod +x run.sh && ./run.sh
make run.sh executable and run it :: chmod +x run.sh && ./run.sh :: mv run.sh run.sh
strip tabs from the py files :: find . -name '*.py' -exec sed -i 's/\t//g' {} + :: find . -name '*.py' | xargs -0 -n 1 '\n'
"""
ROWS = [tuple(line.split(" :: ")) for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("asked", "meant", "other"), ROWS)
def test_only_the_other_sense_is_doubted(asked: str, meant: str, other: str) -> None:
    assert not list(other_senses(asked, meant))
    assert {doubt.kind for doubt in other_senses(asked, other)} in ({"unfit"}, {"barred"})


@pytest.mark.parametrize("text", ["rm a.txt", "find . -name a.txt -delete", "find . -name a.txt -print0 | xargs -0 rm"])
def test_files_never_go_first_where_text_was_meant(text: str) -> None:
    (doubt,) = other_senses("remove the first line of a.txt", text)
    assert doubt.kind == "barred"
    assert not list(other_senses("remove the file a.txt", text))


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_makes_it_fail(asked: str, text: str) -> None:
    assert all(0 < doubt.factor < 1 for doubt in other_senses(asked, text))


@pytest.mark.parametrize(("asked", "words"), [("list the folder to-shred", "to"), ("clean-up the cache", "clean")])
def test_a_name_with_a_deed_in_it_asks_for_none(asked: str, words: str) -> None:
    spoken = spoken_words(asked)
    assert words in spoken and "shred" not in spoken
