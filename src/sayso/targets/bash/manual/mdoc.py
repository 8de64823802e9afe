"""mdoc's words about options as text: `Fl i Ns Op Ar suffix` -> `-i[suffix]`, with fonts as roff escapes."""

from __future__ import annotations

from collections.abc import Sequence

ENCLOSE = {"Op": "[]", "Oo": "[]", "Dq": '""', "Sq": "''", "Ql": "''", "Pq": "()", "Aq": "<>", "Brq": "{}", "Qq": '""'}
OPEN = {"Oo": "[", "Ao": "<", "Po": "(", "Bro": "{", "Do": '"', "So": "'", "Qo": '"'}
CLOSE = {"Oc": "]", "Ac": ">", "Pc": ")", "Brc": "}", "Dc": '"', "Sc": "'", "Qc": '"'}
BOLD = {"Fl", "Cm", "Nm", "Ic", "Li", "Sy", "Ev", "Dv"}
ITALIC = {"Ar", "Pa", "Va", "Vt", "Fa"}
ROMAN = {
    "Ad", "An", "D1", "Dl", "Em", "Er", "Fn", "Ft", "It", "Lk", "Mt", "Nd", "No", "Sm", "St", "Tn", "Ux", "Xc", "Xo",
    "Xr",
}  # fmt: skip
MDOC_INLINE = {*ENCLOSE, *OPEN, *CLOSE, *BOLD, *ITALIC, *ROMAN, "Ns", "Ap", "Pf"}
PUNCTUATION = set(".,:;)]?!|")


def mdoc_line(macro: str, words: Sequence[str]) -> str:
    """One line that starts with a macro; macros among the words are obeyed."""
    out: list[str] = []
    closers: list[str] = []
    glue = True
    current = ""
    empty_flag = False

    def put(text: str, joins: bool = False) -> None:
        nonlocal glue
        if out and not glue and not joins:
            out.append(" ")
        out.append(text)
        glue = False

    for word in [macro, *words]:
        if word in MDOC_INLINE:
            if empty_flag:
                put("\\fB\\-\\fR")
                glue = word == "Fl"  # Fl Fl long
            empty_flag = word == "Fl"
            if word == "Ns":
                glue = True
            elif word in OPEN or (word in ENCLOSE and word != "Oo"):
                put(OPEN.get(word) or ENCLOSE[word][0])
                glue = True
                if word not in OPEN:
                    closers.append(ENCLOSE[word][1])
            elif word in CLOSE:
                put(CLOSE[word], joins=True)
            elif word in ("Ap", "Pf"):
                glue = True
            current = word if word not in ("Ns", "Ap") else current
            continue
        if word in PUNCTUATION:
            put(word, joins=word != "|")
            continue
        if current == "Fl":
            put(f"\\fB\\-{word}\\fR")
        elif current == "Cm" and macro == "It" and out:
            put(f"\\fI{word}\\fR")  # -t dsa | ecdsa: one of these words is its argument
        elif current in BOLD:
            put(f"\\fB{word}\\fR")
        elif current in ITALIC:
            put(f"\\fI{word}\\fR")
        else:
            put(word)
        empty_flag = False
        glue = current == "Pf"
    if empty_flag:
        put("\\fB\\-\\fR")
    elif macro == "Ar" and not words:
        put("\\fIfile ...\\fR")
    return "".join(out) + "".join(reversed(closers))
