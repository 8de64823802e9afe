"""What JuICe prints: tables 1 and 2, the steps of §3, and the shares of tables 3 to 5 and of §4, in percent."""

from __future__ import annotations

TABLE_1 = {"context based": 1, "open domain": 1, "large scale": 1, "curated dev and test": 1}

STEPS = {
    "notebooks in English, in Python, with enough Markdown": 659_000,
    "cells of a notebook, average": 39,
    "examples (target and context)": 4_000_000,
    "unique examples": 1_518_049,
    "kept examples": 1_518_049,
}
"""659 K and 4 million are rounded in the paper."""

CURATED = {
    "nbgrader notebooks": 13_905,
    "exercise and solution pairs": 170_000,
    "submissions of an nbgrader prompt, average": 8.9,
    "nbgrader examples": 1_510,
    "in-class examples": 2_215,
}

TRAIN = {
    "examples": 1_518_049,
    "context cells, average": 29.9,
    "NL tokens, average": 39.6,
    "code tokens, average": 38.8,
    "unique NL tokens": 851_127,
    "unique code tokens": 1_001_289,
    "% use variables above": 45.3,
    "% use methods above": 6.4,
    "% contextual": 48.2,
    "% multi-cell": 19.7,
}

DEV_AND_TEST = {
    "examples": 1_744 + 1_981,
    "context cells, average": 28.3,
    "NL tokens, average": 57.2,
    "code tokens, average": 33.7,
    "unique NL tokens": 11_142,
    "unique code tokens": 5_113,
    "% use variables above": 58.6,
    "% use methods above": 8.2,
    "% contextual": 61.9,
    "% multi-cell": 29.0,
    "API calls of a target, average": 3.8,
}

GROUNDS = {
    "no Markdown": "no cell of it is Markdown with text",
    "not English": "by its Markdown (py3langid); what is too short to tell is kept",
    "not Python": "by the language or kernel that it names, else by its code",
    "more than three code cells a Markdown cell": "§3.1",
    "repository of dev or test": "no repository or course is in two splits",
    "repository without a split": "it gave none of the stored examples",
    "most of its code is in dev or test": "more than half of its longer code cells stand in a dev or test repository",
    "cannot be read": "one line each says why",
    "no Markdown directly above": "a target has Markdown in the cell before it (§3.1)",
    "no code": "empty, comments, magics or another language only",
    "not valid Python": "neither Python 3 nor, after conversion, Python 2",
    "more than one function": "at most one function or method is defined (§3.1)",
    "never solved": "an exercise that nobody filled in",
    "cell of more than 50": "pasted data",
    "same target and context": "§3.1: the first stays",
    "same target and request": "ours: copies of a tutorial differ in some cell far above",
    "request or target of dev or test": "ours: nothing that trains repeats dev or test",
    "over 1": "ours: a cap a repository, drawn with a seed",
}
