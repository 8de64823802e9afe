# %% [markdown]
# # How far are my chapters?
# %%
from pathlib import Path

book = Path("book")
book.mkdir(exist_ok=True)
(book / "one.txt").write_text("It began\nwith rain\nand a bus\n")
(book / "two.txt").write_text("")
(book / "three.txt").write_text("Later.\n\nMuch later.\n")
(book / "notes.md").write_text("- fix chapter two\n- names!\n")
# %%
sorted(p.name for p in book.iterdir())
# %% [markdown] task
# Make a dict `n_lines` from file name to number of lines for the .txt files in the folder `book` (empty lines count).
# %% solution
n_lines = {p.name: len(p.read_text().splitlines()) for p in book.glob("*.txt")}
# %% tests
assert {Path(k).name: int(v) for k, v in n_lines.items()} == {"one.txt": 3, "two.txt": 0, "three.txt": 3}
# %% wrong: pieces between line ends, one too many each
n_lines = {p.name: len(p.read_text().split("\n")) for p in book.glob("*.txt")}
# %% wrong: the notes are counted too
n_lines = {p.name: len(p.read_text().splitlines()) for p in book.iterdir()}
