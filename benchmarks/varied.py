"""Requests without end that are alike in kind and differ in every word that can: for load, not for quality.

Phrasings of the cookbook with other constants in their slots, some misspelt or with words nobody knows, and garbage.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator

from sayso.cookbook.entry import example_values, spoken
from sayso.targets.bash.cookbook.recipes import FOLDER, load_recipes

STRANGE = string.ascii_letters + string.digits + " '\"`$(){}[]<>|&;*?~#!\\/äß語🙂"


class Varied:
    """Draws requests. What `is_dear` is told of is drawn again in a `share` of all only, as are kinds beyond plain."""

    def __init__(self, rng: random.Random, share: float = 0.02) -> None:
        self.rng, self.share = rng, share
        self.recipes = load_recipes(FOLDER)
        self.says = [rng.choice(recipe.say) for recipe in self.recipes]
        self.dear: set[int] = set()
        self.drawn = -1

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self.dear_one() if self.rng.random() < self.share else self.plain_one()

    def is_dear(self) -> None:
        """The last request went to the model."""
        if self.drawn >= 0:
            self.dear.add(self.drawn)

    def plain_one(self) -> str:
        """A phrasing with other constants; one of every recipe."""
        self.drawn = self.rng.choice([at for at in range(len(self.says)) if at not in self.dear])
        return self.said(self.drawn)

    def dear_one(self) -> str:
        rng, self.drawn = self.rng, -1
        kind = rng.choice(("known", "misspelt", "unknown", "garbage"))
        if kind == "known" and self.dear:
            return self.said(rng.choice(sorted(self.dear)))
        if kind == "garbage":
            return "x" + "".join(rng.choices(STRANGE, k=rng.randint(1, 200)))
        text = self.said(rng.randrange(len(self.says)))
        if kind == "misspelt":
            at = rng.randrange(len(text))
            return text[:at] + rng.choice(string.ascii_lowercase) + text[at + 1 :]
        return f"{text} {self.word()} {self.word()}"

    def said(self, at: int) -> str:
        recipe = self.recipes[at]
        examples = example_values(recipe, self.rng.randrange(9))
        return spoken(self.says[at], recipe, {name: self.varied(value) for name, value in examples.items()})

    def word(self) -> str:
        return "".join(self.rng.choices(string.ascii_lowercase, k=self.rng.randint(3, 11)))

    def varied(self, value: str) -> str:
        """ "data/old.log" -> "xqzz/pfu.log": other names and figures, of the same type."""
        fresh = re.sub(r"(?<![\w.])[a-z]{3,}(?=[./_-]|$)", lambda _: self.word(), value)
        return re.sub(r"[1-9]\d*", lambda _: str(self.rng.randint(1, 99)), fresh)
