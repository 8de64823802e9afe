"""The spelling corrector mends plain words and leaves everything else alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.english import spelling
from sayso.english.spelling import Speller, domain_words, slips
from sayso.english.stems import misspellings
from sayso.english.tokens import tokenise

# What was typed and what was meant. The corrector's few numbers were set while looking at these.
TYPOS = """
srot>sort wildcrad>wildcard mutliple>multiple numercial>numerical wrtable>writable biggset>biggest
downlods>downloads desktpo>desktop pakcage>package isntalled>installed upgarde>upgrade servcie>service
runnning>running backgroud>background pattrens>patterns ingore>ignore recrusive>recursive folers>folders
lnik>link conents>contents squence>sequence raplace>replace occurence>occurrence trunacte>truncate
dupilcate>duplicate hostanme>hostname connetion>connection netwokr>network bandwith>bandwidth
certifcate>certificate encrpyt>encrypt passphrse>passphrase comand>command arguement>argument sumary>summary
verison>version histroy>history terminla>terminal qoutes>quotes whitespce>whitespace delimter>delimiter
hexidecimal>hexadecimal chekcsum>checksum skipp>skip preserv>preserve owership>ownership beggining>beginning
anwser>answer
fidn>find direcotry>directory recusively>recursively permisions>permissions modfied>modified
symbloic>symbolic filname>filename serach>search diretories>directories lsit>list dispaly>display
delte>delete archvie>archive exectuable>executable contianing>containing extention>extension lagrest>largest
compresed>compressed proccess>process curent>current subdirectores>subdirectories usernmae>username
enviroment>environment varaible>variable occurances>occurrences alphabeticly>alphabetically
tempoary>temporary timestmap>timestamp seperated>separated ouput>output lenght>length charachters>characters
numbre>number colunm>column shwo>show copmress>compress dowload>download conect>connect intrface>interface
adress>address pasword>password memroy>memory parition>partition kernal>kernel hiddden>hidden oldset>oldest
newwest>newest yeterday>yesterday minuts>minutes secnods>seconds repalce>replace exlcude>exclude
mathcing>matching insensitve>insensitive acending>ascending revesre>reverse duplicats>duplicates
unqiue>unique emtpy>empty ownre>owner chagne>change creaet>create remvoe>remove prnit>print countt>count
tehm>them wiht>with betwen>between becuase>because severall>several therfore>therefore untill>until
"""

# Written after those numbers were set. At first sight 34 of these 40 were mended.
FRESH_TYPOS = """
symboilc>symbolic wihtin>within anothr>another locaiton>location direcctories>directories exeption>exception
hieararchy>hierarchy ammount>amount pervious>previous currenlty>currently particluar>particular
avaialble>available sepcified>specified correspnding>corresponding follwing>following inculding>including
readble>readable executbale>executable checkusm>checksum compresss>compress extarcted>extracted
uncompres>uncompress inodde>inode procesess>processes mounnted>mounted usagge>usage sotred>stored
sytem>system recenlty>recently modifcation>modification alphabetial>alphabetical destinaton>destination
soruce>source pritned>printed renmaed>renamed swaped>swapped containes>contains lenghts>lengths strat>start
dispalyed>displayed
"""


def pairs(table: str) -> dict[str, str]:
    return dict(pair.split(">") for pair in table.split())


# Requests without a mistake, with words that an English word list lacks.
CLEAN = [
    "chmod 755 run.sh and chown it to bob",
    "grep for foo in stdout of the cronjob",
    "gzip every tarball under /var/log",
    "follow symlinks and print their inode numbers",
    "find files owned by tomcat or by user jdoe",
    "kill the process named fooserv",
    "untar myfile.tgz into the webroot-old folder",
    "rsync newdocs to the nginx host",
    "show the regex matches in each subdirectory",
    "list the uuids of ext4 partitions on sdb",
    "print lines without whitespaces from testlog",
    "prepended and timestamped filenames, unzipped",
    'say "fidn teh direcotry" and print $fidn from fidn.txt',
    "Ask Fidnor and ACME about htaccess",
]


PIECES = "fidn fiels named user by owned 5 days 755 permissiona /tmp ' \" ` . , ( ) $ - _ @ x1 Fidn don't"


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller()


def mistakes(speller: Speller, table: str) -> dict[str, str]:
    mended = {typed: speller.correct_word(typed) for typed in pairs(table)}
    return {typed: word for typed, word in mended.items() if word != pairs(table)[typed]}


@pytest.mark.slow
def test_most_typos_of_the_terminal_are_mended(speller: Speller) -> None:
    assert len(wrong := mistakes(speller, TYPOS)) <= 0.03 * len(pairs(TYPOS)), wrong


@pytest.mark.slow
def test_fresh_typos_are_mended_almost_as_often(speller: Speller) -> None:
    assert len(wrong := mistakes(speller, FRESH_TYPOS)) <= 0.15 * len(pairs(FRESH_TYPOS)), wrong


@pytest.mark.slow
def test_typos_are_mended_without_the_table_too(speller: Speller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of known misspellings is a short cut, not what makes the corrector work."""
    monkeypatch.setattr(spelling, "misspellings", dict)
    assert len(wrong := mistakes(speller, TYPOS + FRESH_TYPOS)) <= 0.1 * len(pairs(TYPOS + FRESH_TYPOS)), wrong


@pytest.mark.parametrize("text", CLEAN)
def test_clean_requests_stay_as_they_are(speller: Speller, text: str) -> None:
    assert speller.correct(text) == text


def test_case_and_spacing_stay(speller: Speller) -> None:
    assert speller.correct("Fidn  all\tdirecotries , PLEASE\n") == "Find  all\tdirectories , PLEASE\n"
    assert speller.correct("FIDN ALL FIELS") == "FIND ALL FILES"
    assert speller.correct("FInd fiels") == "FInd files"


def test_a_word_too_long_to_be_one_is_left(speller: Speller) -> None:
    assert speller.correct("x" * 100_000) == "x" * 100_000


def test_words_that_the_caller_knows_are_left_and_preferred() -> None:
    assert Speller().correct("deploy frobnicat now") == "deploy frobnicat now"
    speller = Speller(["Frobnicate", "direcotry"])
    assert speller.correct("deploy frobnicat to the direcotry") == "deploy frobnicate to the direcotry"


def test_no_word_of_the_domain_is_a_misspelling() -> None:
    assert not domain_words() & set(misspellings())


@pytest.mark.parametrize(
    ("typed", "meant", "expected"),
    [
        ("find", "find", 0),
        ("fidn", "find", 1),
        ("fnd", "find", 1),
        ("fynt", "find", 2),
        ("ab", "ba", 1),
        ("abcd", "wxyz", 3),
        ("a", "abcd", 3),
    ],
)
def test_slips_count_swaps_once(typed: str, meant: str, expected: int) -> None:
    assert slips(typed, meant) == slips(meant, typed) == expected


@settings(deadline=None)
@given(text=st.text() | st.lists(st.sampled_from([*PIECES.split(), " "]), max_size=20).map("".join))
def test_only_plain_words_ever_change(speller: Speller, text: str) -> None:
    pattern, done = "", 0
    for token in tokenise(text):
        if token.kind == "word":
            pattern += re.escape(text[done : token.start]) + r"\S+"
            done = token.end
    assert re.fullmatch(pattern + re.escape(text[done:]), speller.correct(text))


@pytest.mark.slow
@settings(deadline=None)
@given(text=st.lists(st.sampled_from([*pairs(TYPOS), "find", "/tmp", "5", "named", "."]), max_size=8).map(" ".join))
def test_correcting_twice_changes_nothing_more(speller: Speller, text: str) -> None:
    once = speller.correct(text)
    assert speller.correct(once) == once
