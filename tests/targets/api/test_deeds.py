"""Requests for a deed are told from readings, whatever the verb looks like; the reading that is offered is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.types import Workspace
from sayso.targets import find_task
from sayso.targets.api.request.deeds import book, find_deed

DEEDS = {
    # request: the deed, and what would find the things meant ("" where nothing would)
    "delete all my mail": ("delete", "show all my mail"),
    "Delete everything": ("delete", ""),
    "delete": ("delete", ""),
    "delete it": ("delete", ""),
    "erase the file notes.txt": ("erase", "show the file notes.txt"),
    "could you please remove the meeting with Tom?": ("remove", "show the meeting with Tom"),
    "remove Bob from the meeting on Friday": ("remove", "show the meeting on Friday"),
    "get rid of the newsletters from the bank": ("delete", "show the newsletters from the bank"),
    "empty my inbox": ("delete", "show my inbox"),
    "clean up my mailbox": ("delete", "show my mailbox"),
    "trash emails older than a year": ("delete", "show emails older than a year"),
    "how do I delete old mails": ("delete", "show old mails"),
    "I want these files deleted": ("delete", "show these files"),
    "i need the meeting moved to friday": ("move", "show the meeting"),
    "I'd like the sync with Ola to be cancelled": ("cancel", "show the sync with Ola"),
    "find the mail from Bob and delete it": ("delete", "find the mail from Bob"),
    "show my unread mail, then mark them as read": ("mark", "show my unread mail"),
    "list the pdf files and move them to the archive": ("move", "list the pdf files"),
    "send an email to Bob": ("send", ""),
    "Please send Anna a mail about lunch": ("send", ""),
    "send the budget file to Bob": ("send", "show the budget file"),
    "email bob about lunch": ("send", ""),
    "Email Anna": ("send", ""),
    "mail my boss that I am ill": ("send", ""),
    "message the team": ("send", ""),
    "tell Anna I am late": ("send", ""),
    "let Bob know that the room changed": ("send", ""),
    "write a reply to Anna": ("write", ""),
    "draft an answer to the last mail from Ida": ("write", ""),
    "reply to Anna's last mail": ("reply", "show Anna's last mail"),
    "reply to the mail from Ida saying yes": ("reply", "show the mail from Ida"),
    "answer the mail from Ida": ("reply", "show the mail from Ida"),
    "forward Bob's mail to Anna": ("forward", "show Bob's mail"),
    "forward mail from Bob to Anna": ("forward", "show mail from Bob"),
    "move the meeting to friday": ("move", "show the meeting"),
    "move budget.xlsx into the archive": ("move", "show budget.xlsx"),
    "reschedule my meeting with Ola to monday": ("reschedule", "show my meeting with Ola"),
    "postpone the review until next week": ("postpone", "show the review"),
    "cancel all meetings next week": ("cancel", "show all meetings next week"),
    "accept the invitation from Ida": ("accept", "show the invitation from Ida"),
    "decline it": ("decline", ""),
    "create an event": ("create", ""),
    "can you create a folder for me": ("create", ""),
    "make a new folder": ("create or change", ""),
    "make the file plan.docx private": ("create or change", "show the file plan.docx"),
    "schedule a call with Ida": ("schedule", ""),
    "set up a meeting with Tom and Ida": ("schedule", ""),
    "arrange a meeting with Ida on monday": ("schedule", ""),
    "book a room for tomorrow": ("book", ""),
    "put a meeting in my calendar": ("move or add", ""),
    "add Bob to the budget meeting": ("add", "show the budget meeting"),
    "invite Ida to the meeting on Monday": ("invite", "show the meeting on Monday"),
    "rename the file budget.xlsx to b.xlsx": ("rename", "show the file budget.xlsx"),
    "change the location of the meeting with Bob to room 5": ("change", "show the meeting with Bob"),
    "set the importance of the mail from Anna to high": ("change", "show the mail from Anna"),
    "share budget.xlsx with Bob": ("share", "show budget.xlsx"),
    "share the files from last week with Bob": ("share", "show the files from last week"),
    "give Bob access to the budget file": ("share", "show the budget file"),
    "copy the report into my folder": ("copy", "show the report"),
    "upload a photo": ("upload", ""),
    "mark all unread mail from Anna as read": ("mark", "show all unread mail from Anna"),
    "mark as read": ("mark", ""),
    "flag the mail from Ida": ("flag", "show the mail from Ida"),
    "archive old newsletters": ("archive", "show old newsletters"),
    "remind me to call Bob": ("remind", ""),
    "delete, please": ("delete", ""),
    "hey sayso, delete all my mail": ("delete", "show all my mail"),
    "pls fwd the contract to legal": ("forward", "show the contract"),
    "drop the meeting with Sven": ("delete", "show the meeting with Sven"),
    "hide the file plan.docx from Bob": ("hide", "show the file plan.docx"),
    "unsubscribe me from this list": ("unsubscribe", ""),
}

READINGS = """
show deleted items
files shared with me
meetings created last week
mail sent by Anna
mails I sent to Bob
email from bob
email anna sent me yesterday
mail about the move
message from my boss
send me the unread emails
send me a list of files
please send me my first email
give me the files that Ola shared with Bob
give them in order of size
create a list of word files
make a list of meetings with Ida
prepare a list of mails about hiring
compile a list of events
arrange the files by size
list my files and arrange them by name
what are my files? Give them in Z to A order
put the files in order of size
put together a list of my meetings
tell me which meetings are cancelled
let me see my mail
let me know which files changed
remind me who sent the budget
remind me when the review is
which mails should I reply to
which mails did I forward and which did I delete
did I answer Anna
who moved the file plan.docx
when was the file renamed
how many mails did I delete
what did Ida share with me
files I can edit and share
files about how to delete a database
meetings about the move to Oslo
mail with the subject delete my account
schedule for tomorrow
my schedule
plan for next week
book club meetings
change requests from bob
update emails from Anna
copy of the contract
draft contracts by Anna
drafts
reply from Bob
replies to my mail
invites from Bob
answer key files
archive folder files
moved files
set of slides
empty files
duplicate files
mark twain files
share price files
call with Ida
call notes from anna
text files
report from Ida
shared files
marked as important
sent mail
Can you find the mail from Bob?
I want to see all deleted files
I want the files created by Ola
I need the mails sent to Bob
open the file plan.docx
search for mails about adding a user
save the date mails
share with me files
upload date of the files
put everything from Bob in a list
join requests in my mail
drop box files
unread mails
""".strip().splitlines()


@pytest.mark.parametrize(("text", "deed"), DEEDS.items())
def test_a_deed_is_told_and_what_it_is_about(text: str, deed: tuple[str, str]) -> None:
    found = find_deed(text)
    assert found is not None and (found.verb, found.reading) == deed


@pytest.mark.parametrize("text", READINGS)
def test_a_reading_is_no_deed(text: str) -> None:
    assert find_deed(text) is None


def test_the_tables_above_are_as_large_as_is_said() -> None:
    assert len(DEEDS) >= 60 and len(READINGS) >= 60


@given(st.sampled_from(sorted(DEEDS)), st.sampled_from([" ".join(one) for one in book().openers]), st.booleans())
def test_politeness_changes_nothing(text: str, opener: str, upper: bool) -> None:
    if text.lower().startswith(("i ", "i'd ", "show", "find", "list")):
        return
    said = f"{opener} {text}"
    found = find_deed(said.upper() if upper and text == text.lower() else said)
    assert found is not None and found.verb == DEEDS[text][0]


@given(st.text(max_size=60))
def test_any_text_is_looked_at(text: str) -> None:
    find_deed(text)


@pytest.mark.parametrize("domain", ["document", "email", "calendar"])
def test_people_who_asked_for_calls_asked_for_no_deeds(domain: str, workspace: Workspace) -> None:
    asked = [one.request.text for one in find_task(f"api/program-{domain}").load(workspace, "train")]
    deeds = [text for text in asked if find_deed(text)]
    assert len(deeds) <= 1 and len(asked) > 1000  # one says "Send the first …" for "show"
