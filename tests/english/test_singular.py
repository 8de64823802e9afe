"""One thing or several: what a superlative asks for."""

from __future__ import annotations

import pytest

from sayso.english.singular import asks_for_one

ONE = """
newest backup in /srv
which file is the largest here
what is the biggest folder in /var
the most common word in poem.txt
which ip made the most requests
most requested url in access.log
which process uses the most memory
which user has the most processes
show the last commit
what's the latest tag
the oldest log file under /var/log
find the longest line in poem.txt
the most recently changed file
which branch is the newest
which customer spent the most
which of my files is the biggest
which one of these folders is largest
"""
MANY = """
which of my files are the biggest
newest backups in /srv
which files are the largest here
the 5 biggest folders in /var
the most common words in poem.txt
which ips made the most requests
ten most requested urls
which processes use the most memory
show the last commits
the oldest log files under /var/log
run the test files
sort by size, largest file first
list them with the newest file last
which folders take the most room
show the last lines of a.log
files with the most lines
count the files
who sent the request
"""


@pytest.mark.parametrize("text", ONE.strip().split("\n"))
def test_the_newest_file_is_one(text: str) -> None:
    assert asks_for_one(text)


@pytest.mark.parametrize("text", MANY.strip().split("\n"))
def test_the_newest_files_are_several(text: str) -> None:
    assert not asks_for_one(text)
