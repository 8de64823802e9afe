# %% [markdown]
# # Scaling grandmother's recipes
# %%
recipe = "Mix 250 g flour with 3 eggs and 125 ml milk. Add 10 g salt. Bake 35 minutes."
people_then, people_now = 4, 6
# %% [markdown]
# Only grams and millilitres scale nicely; half an egg is silly and the oven time stays.
# %%
factor = people_now / people_then
factor
# %% [markdown] task
# Rewrite the recipe with the amounts in g and ml multiplied by `factor`, rounded down to whole numbers → `scaled`
# %% solution
import re

scaled = re.sub(r"(\d+) (g|ml)\b", lambda m: f"{int(int(m[1]) * factor)} {m[2]}", recipe)
# %% tests
assert scaled == "Mix 375 g flour with 3 eggs and 187 ml milk. Add 15 g salt. Bake 35 minutes."
# %% wrong: eggs and minutes are scaled as well
import re
scaled = re.sub(r"\d+", lambda m: str(int(int(m[0]) * factor)), recipe)
# %% wrong: rounds up
import math, re
scaled = re.sub(r"(\d+) (g|ml)\b", lambda m: f"{math.ceil(int(m[1]) * factor)} {m[2]}", recipe)
