# %% [markdown]
# # Publish the interview notes
# Before they go on line nobody's phone number may be readable.
# %%
note = "Call Anke at 0571-338921 or the shop (0571-440017). Room 12 is open, case 4471."
# %% [markdown]
# A phone number here is always four digits, a hyphen, six digits.
# %%
import re

phone = re.compile(r"\d{4}-\d{6}")
phone.findall(note)
# %% [markdown] task
# Replace every digit of the phone numbers by "x", but leave the last two digits and the hyphen readable. Everything else stays. Name the result `safe`.
# %% solution
safe = phone.sub(lambda m: "xxxx-xxxx" + m.group()[-2:], note)
# %% tests
assert safe == "Call Anke at xxxx-xxxx21 or the shop (xxxx-xxxx17). Room 12 is open, case 4471."
# %% wrong: hides every digit of the text
safe = re.sub(r"\d", "x", note)
# %% wrong: the whole number, hyphen and last digits too
safe = phone.sub(lambda m: "x" * len(m.group()), note)
