"""What a request says and a command does not heed is doubted; what it does heed is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.targets.bash.evidence.lost_words import lost_words

# ruff: noqa: E501
# Request, a command that heeds it, one that does not.
TABLE = r"""
delete all build directories :: find . -type d -name build -prune -exec rm -r {} + :: find . -type f -name build -delete
find every txt file here :: find . -type f -name '*.txt' :: find . -type d -name '*.txt'
lines with cheese in menu.txt ignoring case :: grep -i cheese menu.txt :: grep cheese menu.txt
show app.log live :: tail -f app.log :: tail app.log
list the files recursively :: ls -R :: ls
make a copy of the folder art as art2 :: cp -r art art2 :: cp art art2
remove the directory art :: rm -r art :: rm art
which notes do not contain cheese :: grep -rL cheese . :: grep -rl cheese .
which notes contain cheese :: grep -rl cheese . :: grep -rL cheese .
files that mention cheese but not wine :: grep -rlZ cheese . | xargs -0 grep -L wine :: grep -rl --exclude-dir=wine cheese .
find the tmp files and delete them :: find . -name '*.tmp' -delete :: find / -name '*.tmp' -delete
find the tmp files and delete them :: find . -name '*.tmp' -delete :: find /tmp -name '*.tmp' -delete
find big files on this machine :: find / -size +1G :: find /srv -size +1G -delete
commit it and push :: git commit -am x && git push :: git commit -am x
gzip the old reports :: gzip *.txt :: mv *.txt old
how many pdfs are in the Holiday folder :: find Holiday -name '*.pdf' | wc -l :: find . -name '*.pdf' | wc -l
how many pdfs are in the Holiday folder :: find Holiday -name '*.pdf' | wc -l :: find Holiday -name '*.pdf'
remove all rows containing cheese from b.csv :: sed -i '/cheese/d' b.csv :: sed -i 1d b.csv
show the logs of api and follow :: docker logs -f api :: docker logs api
size of it in bytes :: du -b x :: du -h x
"""
ROWS = [tuple(line.split(" :: ")) for line in TABLE.strip().splitlines()]


@pytest.mark.parametrize(("asked", "heeds", "forgets"), ROWS)
def test_only_what_is_not_heeded_is_doubted(asked: str, heeds: str, forgets: str) -> None:
    assert not list(lost_words(asked, heeds))
    assert [doubt.kind for doubt in lost_words(asked, forgets)] == ["unfit"]


def test_words_in_quotes_are_not_heeded() -> None:
    assert not list(lost_words("lines with 'sorted descending, live' in a.txt", "grep 'sorted descending, live' a.txt"))


def test_a_deletion_where_nobody_asked_for_it_is_doubted_most() -> None:
    (doubt,) = lost_words("delete all tmp files", "find / -name '*.tmp' -delete")
    assert doubt.factor < 0.05


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_makes_it_fail(asked: str, text: str) -> None:
    assert all(0 < doubt.factor < 1 for doubt in lost_words(asked, text))
