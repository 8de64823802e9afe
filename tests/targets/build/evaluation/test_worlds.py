"""Worlds of labels: what is built over what, what a null label takes away, and that nothing is built twice."""

from __future__ import annotations

from tests.targets.build.pretend import PretendBuilder, made

from sayso.targets.build.evaluation.labels import Label
from sayso.targets.build.evaluation.worlds import GOLD, Ran, World, levels, null_world, run_worlds


def fates(ran: Ran) -> dict[str, bool]:
    """name -> whether it built"""
    return {name: built.exit_code == 0 for name, built in ran.validation.items()}


def test_everything_builds_under_the_maintainers_scripts() -> None:
    builder, found = PretendBuilder(), made({"b": ("a",), "a": ()}, {"v": ("b",), "w": ("a",)})
    assert [[one.name for one in level] for level in levels(found)] == [["a"], ["b"]]
    (ran,) = run_worlds(found, [GOLD], builder.build_all)
    assert fates(ran) == {"v": True, "w": True} and set(ran.tests) == {"a", "b"}
    assert builder.order == ["a", "b", "v", "w"]


def test_null_takes_a_package_away_wherever_it_comes_in() -> None:
    """b needs a, so where a is null b has not got it either, and v, which names only b, fails."""
    builder, found = PretendBuilder(), made({"a": (), "b": ("a",), "c": ()}, {"v": ("b",), "w": ("a",), "x": ("c",)})
    (ran,) = run_worlds(found, [null_world(["a"])], builder.build_all)
    assert fates(ran) == {"v": False, "w": False}, "x cannot be affected and is not built"
    assert "a" not in ran.tests


def test_what_a_failed_script_left_behind_counts() -> None:
    builder, found = PretendBuilder(), made({"a": ()}, {"v": ("a",)})
    left, lost = run_worlds(
        found, [World({"a": Label("install a\nfail")}), World({"a": Label("fail\ninstall a")})], builder.build_all
    )
    assert (fates(left), fates(lost)) == ({"v": True}, {"v": False})


def test_a_script_that_installs_nothing_is_the_null_world() -> None:
    builder, found = PretendBuilder(), made({"a": ()}, {"v": ("a",)})
    run_worlds(found, [GOLD, null_world(["a"])], builder.build_all)
    before = list(builder.order)
    (ran,) = run_worlds(found, [World({"a": Label("fail")})], builder.build_all)
    assert builder.order[len(before) :] == ["a"] and fates(ran) == {"v": False}


def test_equal_scripts_build_nothing_again() -> None:
    builder, found = PretendBuilder(), made({"a": (), "b": ("a",)}, {"v": ("b",)})
    run_worlds(found, [GOLD, null_world(["a"])], builder.build_all)
    before = len(builder.order)
    (ran,) = run_worlds(found, [World({"a": Label("install a")})], builder.build_all)
    assert len(builder.order) == before and fates(ran) == {"v": True}


def test_a_label_may_say_what_it_needs() -> None:
    builder, found = PretendBuilder(), made({"a": (), "b": ("a",)}, {"v": ("b",)})
    script = found.packages["b"].script
    said, unsaid, nothing, stranger = run_worlds(
        found,
        [World({"b": Label(script, needs)}) for needs in (("a",), None, (), ("a", "gcc", "b"))],
        builder.build_all,
    )
    assert [fates(ran)["v"] for ran in (said, unsaid, nothing, stranger)] == [True, True, False, True]
