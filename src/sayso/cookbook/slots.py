"""Translator: template first, then fill its slots (after Tellina, NL2Bash §5.3), over hand-written recipes.

Retrieval proposes phrasings, by shared words and where there is an encoder by meaning; `filling` puts the constants of
the request into their slots, and how much of the request and of the phrasing is then explained gives the score. No
value is invented: a slot that the request does not fill takes its default or is shown as an upper-case placeholder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.cookbook.entry import Recipe, spoken
from sayso.cookbook.filling import Choice, Filling
from sayso.cookbook.phrasings import Context, Phrasing, Terms, contexts_of, read_items
from sayso.cookbook.retrieval import Index
from sayso.cookbook.slot_types import NAMED_BY_PATH, TYPES
from sayso.core.types import LEFT_OPEN, Candidate, Request
from sayso.english.lexicon import Lexicon
from sayso.english.tokens import CONSTANT_KINDS
from sayso.learners.linear import logistic
from sayso.neural.meaning import Meaning

FEATURES: Mapping[str, str] = {
    "bias": "always 1",
    "request": "share of the request's words that the phrasing has, by weight",
    "phrasing": "share of the phrasing's words that the request has",
    "both": "the product of these two",
    "exact": "whether both shares are whole, in the same order, and every slot has its value",
    "recipe": "share of the request's words that any phrasing of the recipe has",
    "evidence": "how much weight was matched at all",
    "unknown": "words of the request that no known request holds",
    "left_over": "constants of the request that no slot took",
    "missing": "slots that must be filled and are not",
    "unsaid": "of these, names of files and folders, which people leave out when they stand in front of them",
    "fits": "how well the constants fit their slots",
    "bare": "slots filled with a word that has no type",
    "special": "whether a value has a telling type, such as a CSV file",
    "guessed": "whether a word was taken for a misspelling",
}
MEANT: Mapping[str, str] = {
    "meaning": "cosine of the request with the phrasing",
    "meaning_recipe": "the best cosine with any phrasing of the recipe",
    "meaning_gap": "how much nearer the nearest recipe is",
}
"""Features that only a cookbook with an encoder has."""
FULL_FIT, HALF_EVIDENCE, MOST_COUNTED, WHOLE = 5.0, 4.0, 2, 0.999
MORE_LOOKED_AT = 30
"""Phrasings looked at for each suggestion."""
MEANT_ALIKE, MEANT_RECIPES = 40, 4
"""Phrasings that are near by meaning, and nearest recipes of which all are, that are looked at besides."""

Render = Callable[[Recipe, Mapping[str, str]], str]
"""Writes a recipe's command with values in its slots, quoted as the target needs it; "" where they would act in it."""
NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Settings:
    """What is fitted: a weight for each feature; and how many phrasings are looked at closely."""

    weights: Mapping[str, float]
    looked_at: int = 30
    lowest: float = 0.02


@dataclass(frozen=True)
class Reading:
    """A request read as a recipe: what went where, and the features that its score is made of."""

    recipe: Recipe
    phrasing: Phrasing
    values: Mapping[str, str]
    features: Mapping[str, float]
    score: float
    why: tuple[str, ...] = ()
    """Told of those that are proposed."""


class Cookbook:
    """Translator over recipes. `items` are the phrasings as `read_items` gives them, where that was done before.

    `meaning` makes the vectors of all phrasings from the numbers of the first phrasing of each recipe.
    """

    def __init__(
        self,
        recipes: Sequence[Recipe],
        lexicon: Lexicon,
        settings: Settings,
        render: Render,
        items: Sequence[tuple[str, ...]] | None = None,
        meaning: Callable[[Sequence[int]], Meaning] | None = None,
    ) -> None:
        self.recipes, self.lexicon, self.settings, self.render = recipes, lexicon, settings, render
        said = [(number, say) for number, recipe in enumerate(recipes) for say in recipe.say]
        read = items if items is not None else [read_items(say, lexicon) for _, say in said]
        self.phrasings = [Phrasing(number, say, one) for (number, say), one in zip(said, read, strict=True)]
        self.members: list[range] = []
        for recipe in recipes:
            first = self.members[-1].stop if self.members else 0
            self.members.append(range(first, first + len(recipe.say)))
        words = [phrasing.words for phrasing in self.phrasings]
        self.index = Index(words, [phrasing.recipe for phrasing in self.phrasings], lexicon)
        self._contexts: dict[int, dict[str, Context]] = {}
        self._familiar: dict[int, frozenset[str]] = {}
        self.meaning = meaning([own.start for own in self.members]) if meaning else None

    def translate(self, requests: Sequence[Request], k: int = 1) -> list[list[Candidate]]:
        return [self._candidates(request.text, k) for request in requests]

    def nearest(self, request: Request, k: int) -> list[str]:
        """Known requests with placeholders, closest first, for an answer that could not be given; never none."""
        found: dict[int, str] = {}
        for at in self._near(self.read(request.text), MORE_LOOKED_AT * max(k, 1)):
            phrasing = self.phrasings[at]
            found.setdefault(phrasing.recipe, spoken(phrasing.text, self.recipes[phrasing.recipe]))
            if len(found) >= k:
                break
        return list(found.values())[:k]

    def _near(self, asked: Terms, limit: int) -> Iterator[int]:
        """Phrasings that the request can be read as, that share a word with it or a word much like one; common ones."""
        near = dict(self.index.nearest(asked.keys, limit))
        if self.meaning:
            likeness = self.meaning.nearness(asked.text).each
            near = {at: float(likeness[at]) for at in self._proposed(asked, limit, NOTHING)}
        readings = {at: reading.score * share for at, share in near.items() if (reading := self.read_as(asked, at))}
        yield from sorted(readings, key=lambda at: -readings[at])
        yield from near
        yield from (at for at, _ in self.index.nearest(self.index.alike(asked.terms), limit))
        harmless = [number for number, recipe in enumerate(self.recipes) if recipe.risk == "reads"]
        # What many phrasings were written for is what people ask for.
        yield from (self.members[number].start for number in sorted(harmless, key=lambda one: -len(self.members[one])))

    def _candidates(self, text: str, k: int) -> list[Candidate]:
        found: dict[str, Candidate] = {}
        for reading in self.proposed(text):
            if len(found) >= k:
                break
            command = self.render(reading.recipe, reading.values)
            if not command:  # refused
                continue
            found.setdefault(command, Candidate(command, round(reading.score, 4), reading.why))
        return list(found.values())

    def proposed(self, text: str) -> list[Reading]:
        """The readings that are worth being rendered, best first, with their reasons."""
        readings = self.readings(self.read(text))
        return [replace(one, why=reasons(one)) for one in readings if one.score >= self.settings.lowest]

    def read(self, text: str) -> Terms:
        terms = self.lexicon.read(text)
        return Terms(text, terms, self.index.keys(terms))

    def readings(self, asked: Terms, leave_out: frozenset[int] = NOTHING) -> list[Reading]:
        """The best reading of the request as each near recipe, best first. `leave_out` hides phrasings, for fitting."""
        best: dict[int, Reading] = {}
        for at in self._proposed(asked, self.settings.looked_at, leave_out):
            reading = self.read_as(asked, at, leave_out)
            number = self.phrasings[at].recipe
            if reading and (number not in best or reading.score > best[number].score):
                best[number] = reading
        return sorted(best.values(), key=lambda reading: (-reading.score, reading.recipe.intent))

    def _proposed(self, asked: Terms, limit: int, leave_out: frozenset[int]) -> list[int]:
        """Phrasings that share words with the request, then those that mean much the same."""
        found = [at for at, _ in self.index.nearest(asked.keys, limit, leave_out)]
        if self.meaning:
            near = self.meaning.nearness(asked.text, leave_out).nearest(MEANT_ALIKE)
            nearest = list(dict.fromkeys(self.phrasings[at].recipe for at in near))[:MEANT_RECIPES]
            found += near + [at for number in nearest for at in self.members[number] if at not in leave_out]
        return list(dict.fromkeys(found))

    def read_as(self, asked: Terms, at: int, leave_out: frozenset[int] = NOTHING) -> Reading | None:
        """The request read as one phrasing; None where the recipe would have nothing to work on."""
        phrasing = self.phrasings[at]
        recipe = self.recipes[phrasing.recipe]
        filled = Filling(asked, phrasing, recipe, self.contexts(phrasing.recipe), self.lexicon).fill()
        if recipe.needs and not any(name in filled for name in recipe.needs):
            return None
        features = {
            "bias": 1.0,
            **self.overlap(asked, at, filled, leave_out),
            **slot_features(asked, recipe, filled),
            "guessed": float(any(key.sure < 1.0 for key in asked.keys)),
            **self.likeness(asked, at, leave_out),
        }
        if features["missing"] or features["unsaid"] or features["left_over"]:
            features["exact"] = 0.0
        score = logistic(sum(self.settings.weights[name] * value for name, value in features.items()))
        return Reading(recipe, phrasing, {name: choice.value for name, choice in filled.items()}, features, score)

    def overlap(
        self, asked: Terms, at: int, filled: Mapping[str, Choice], leave_out: frozenset[int]
    ) -> dict[str, float]:
        """How much of the request and of the phrasing the other explains; words that went into slots are explained."""
        bag = self.index.bags[at]
        familiar = self.familiar(at, leave_out)
        used = NOTHING.union(*(choice.span for choice in filled.values()))
        total = matched = known = 0.0
        left_over = unknown = 0
        seen: dict[str, int] = {}
        for number, (term, key) in enumerate(zip(asked.terms, asked.keys, strict=True)):
            if number in used or not key.weight:
                continue
            if term.kind in CONSTANT_KINDS and key.stem not in familiar:
                left_over += 1
            elif term.kind != "place" or term.value != "." or key.stem in bag:
                total += key.weight
                unknown += leave_out.issuperset(self.index.postings.get(key.stem, ()))
                if key.stem in bag:
                    matched += key.weight * key.sure
                    seen.setdefault(key.stem, number)
                if key.stem in familiar:
                    known += key.weight * key.sure
        request = matched / total if total else 0.0
        places = [seen[word] for word in self.phrasings[at].words if word in seen]
        said = sum(self.index.weights[stem] for stem in sorted(seen))
        phrasing = said / self.index.totals[at] if self.index.totals[at] else 0.0
        return {
            "request": request,
            "phrasing": phrasing,
            "both": request * phrasing,
            "exact": float(request * phrasing > WHOLE and places == sorted(places)),
            "recipe": known / total if total else 0.0,
            "evidence": matched / (matched + HALF_EVIDENCE),
            "unknown": float(min(MOST_COUNTED, unknown)),
            "left_over": float(min(MOST_COUNTED, left_over)),
        }

    def familiar(self, at: int, leave_out: frozenset[int]) -> frozenset[str]:
        """The words of a phrasing and of all others of its recipe."""
        number = self.phrasings[at].recipe
        bags, members = self.index.bags, self.members[number]
        if leave_out:
            return bags[at].union(*(bags[one] for one in members if one not in leave_out))
        if number not in self._familiar:
            self._familiar[number] = frozenset[str]().union(*(bags[one] for one in members))
        return self._familiar[number]

    def likeness(self, asked: Terms, at: int, leave_out: frozenset[int]) -> dict[str, float]:
        """How near the request is by meaning; nothing where there is no encoder."""
        if not self.meaning:
            return {}
        near = self.meaning.nearness(asked.text, leave_out)
        recipe = float(near.groups[self.phrasings[at].recipe])
        return {"meaning": float(near.each[at]), "meaning_recipe": recipe, "meaning_gap": near.best - recipe}

    def contexts(self, number: int) -> dict[str, Context]:
        """The words around the slots of a recipe, in all its phrasings."""
        if number not in self._contexts:
            phrasings = [self.phrasings[at] for at in self.members[number]]
            self._contexts[number] = contexts_of(self.recipes[number], phrasings)
        return self._contexts[number]


def slot_features(asked: Terms, recipe: Recipe, filled: Mapping[str, Choice]) -> dict[str, float]:
    needed = [slot.name for slot in recipe.slots.values() if slot.required]
    fits = [min(1.0, filled[name].score / FULL_FIT) for name in needed if name in filled]
    unsaid = sum(recipe.slots[name].type in NAMED_BY_PATH for name in needed if name not in filled)
    bare = sum(asked.terms[choice.first].kind == "word" for choice in filled.values() if choice.first == choice.last)
    return {
        "missing": float(min(MOST_COUNTED, len(needed) - len(fits) - unsaid)),
        "unsaid": float(min(MOST_COUNTED, unsaid)),
        "fits": sum(fits) / len(fits) if fits else float(len(needed) == unsaid),
        "bare": float(min(MOST_COUNTED, bare)),
        "special": float(any(TYPES[recipe.slots[name].type].special for name in filled)),
    }


def reasons(reading: Reading) -> tuple[str, ...]:
    """Why this candidate: the known request it is like, what was taken from the request, assumed, or not said."""
    recipe = reading.recipe
    why = [f'like "{spoken(reading.phrasing.text, recipe)}"']
    if taken := [f"{recipe.slots[name].shown} {value}" for name, value in reading.values.items()]:
        why.append(f"from the request: {', '.join(taken)}")
    slots = [slot for slot in recipe.slots.values() if slot.name not in reading.values]
    if assumed := [f"{slot.shown} {slot.default}" for slot in slots if slot.default]:
        why.append(f"assumed: {', '.join(assumed)}")
    if missing := [slot.shown for slot in slots if slot.required]:
        why.append(f"{LEFT_OPEN}{', '.join(missing)}")
    return tuple(why)
