"""The learner of `pipeline` on a toy world: what is rewarded is done, and the untrained policy does as it is told."""

from __future__ import annotations

import pytest

from sayso.experiments.build_pipeline import World, greedy_rewards, learn, worth
from sayso.targets.build.planning.plan import Ground
from sayso.targets.build.planning.survey import survey_texts
from sayso.targets.build.planning.walk import walk
from sayso.targets.build.systems.observed import Sight
from sayso.targets.build.systems.pipeline import greedy, script_by
from sayso.targets.build.trying.trying import Ended

FILES = {
    "README.md": "# a\n\n## Building\n\n```\n./configure\nmake\nmake install\n```\n",
    "configure": "#!/bin/sh\n",
    "a.c": "int main(void) { return 0; }\n",
}


@pytest.fixture
def ground() -> Ground:
    return survey_texts(dict.fromkeys(FILES, True), {}, FILES, FILES).ground


def installs_below_the_prefix(script: str) -> Ended:
    done = "./configure --prefix=/usr/local\n" in script and "make install" in script
    return Ended(done, ("/usr/local/bin/a",) if done else (), steps_done=1)


def test_the_untrained_policy_does_what_is_written_and_stops(ground: Ground) -> None:
    assert script_by(Sight(ground), greedy({})) == "./configure\nmake\nmake install"


def test_rewards_alone_teach_the_prefix(ground: Ground) -> None:
    world = World("a", ground, walk(ground), installs_below_the_prefix)
    assert greedy_rewards([world], {}) == [pytest.approx(0.04 - 0.03)]
    weights, curve = learn([world], 8, seconds=60)
    assert greedy_rewards([world], weights) == [pytest.approx(1 - 0.03)]
    assert len(curve) == 8
    assert curve[-1] > curve[0]


def test_what_begins_like_a_failed_script_is_never_built(ground: Ground) -> None:
    world = World("a", ground, walk(ground), lambda script: Ended(False, steps_done=1))
    first = world.reward("./configure\nmake\nmake install")
    assert world.reward("./configure\nmake\nsomething else\nmake install") == pytest.approx((first or 0) - 0.01)
    assert world.reward("./configure\nmake all") is not None
    assert world.built == 2


def test_a_build_that_fails_is_worth_less_than_one_that_installs_a_part(ground: Ground) -> None:
    failed = worth(ground, "make\nmake install", Ended(False, steps_done=2))
    assert failed < worth(ground, "make", Ended(True, ("/usr/local/share/doc/a",))) <= 1.0
