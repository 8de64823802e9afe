"""Names and ids of users on both sides of the sandbox."""

from __future__ import annotations

import pytest

from sayso.core.errors import SandboxFailed
from sayso.sandbox.owners import FIRST_ID, NEEDS_OWNERS, NOBODY_ID, USER_ID, Owners, _covers

ROOT, PLAIN = Owners(privileged=True), Owners(privileged=False)


@pytest.mark.parametrize("id", [0, 1, USER_ID, 1001, 65533])
def test_ids_go_out_and_come_back(id: int) -> None:
    assert ROOT.inside(ROOT.outside(id)) == id


def test_no_id_but_roots_is_one_of_the_host() -> None:
    assert all(ROOT.outside(id) >= FIRST_ID for id in range(1, NOBODY_ID + 1))
    assert ROOT.inside(1000) == NOBODY_ID
    assert ROOT.inside(FIRST_ID) == NOBODY_ID


def test_the_map_says_the_same() -> None:
    lines = [tuple(map(int, line.split())) for line in ROOT.id_maps().splitlines()]
    inside = {first + step: outside + step for first, outside, count in lines for step in range(count)}
    assert inside == {id: ROOT.outside(id) for id in range(NOBODY_ID)}


def test_an_owner_by_name() -> None:
    owners = ROOT.knowing({"bob", "anna:staff", ""}, b"", b"")
    assert owners.find("") == (FIRST_ID + USER_ID,) * 2
    assert owners.find("root") == (0, 0)
    assert owners.find("anna:staff") == (FIRST_ID + owners.users["anna"], FIRST_ID + 50)
    for owner in ("", "root", "bob", "anna:staff", "root:bob"):
        assert owners.name(*owners.find(owner)) == owner


def test_new_users_are_written_where_programs_look() -> None:
    owners = ROOT.knowing({"bob:crew"}, b"", b"")
    again = ROOT.knowing(set(), owners.passwd(), owners.group())
    assert again.users == owners.users
    assert again.groups == owners.groups
    assert again.find("bob:crew") == owners.find("bob:crew")


def test_users_of_a_layer_keep_their_ids() -> None:
    first = ROOT.knowing({"bob"}, b"", b"")
    second = ROOT.knowing({"anna", "bob"}, first.passwd(), first.group())
    assert second.users["bob"] == first.users["bob"] != second.users["anna"]


def test_spoilt_tables_are_passed_over() -> None:
    spoilt = b"\xff\xfe\n::\nbob:x:none:1\nroot:x:99999999:0\nbob:x:70000:1\n" + b"a" * 100
    assert ROOT.knowing(set(), spoilt, spoilt).users == ROOT.users


def test_without_root_every_file_belongs_to_the_caller() -> None:
    assert PLAIN.find("") == PLAIN.find("user") == (0, 0)
    assert PLAIN.name(0, 0) == ""
    for owner in ("root", "bob", "user:staff"):
        with pytest.raises(SandboxFailed) as caught:
            PLAIN.knowing({owner}, b"", b"").find(owner)
        assert caught.value.reason == NEEDS_OWNERS


def test_root_of_a_small_container_is_not_root_over_our_ids() -> None:
    assert _covers("         0          0 4294967295\n")
    assert not _covers("0 1000 1\n")
    assert not _covers("0 1000 1\n1 100000 65536\n")
