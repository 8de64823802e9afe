# %% [markdown]
# # Have we had this support ticket before?
# %%
old = [
    "printer jams on thick paper",
    "cannot log in after password change",
    "screen flickers when the laptop is charging",
    "log in page is very slow",
]
new = "after the password change I cannot log in any more"
# %%
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

vectorizer = TfidfVectorizer()
M = vectorizer.fit_transform(old)
M.shape
# %% [markdown] task
# Which old ticket is most similar to `new` (cosine of the tf-idf vectors, same vectorizer)? Its position in `match`, the similarity in `score`.
# %% solution
similarity = cosine_similarity(vectorizer.transform([new]), M)[0]
match = int(similarity.argmax())
score = similarity[match]
# %% tests
import numpy as np
vec = TfidfVectorizer().fit(old)
sims = (vec.transform(old) @ vec.transform([new]).T).toarray().ravel()
assert int(match) == 1
assert abs(float(np.squeeze(score)) - sims[1]) < 1e-6
assert len(vectorizer.vocabulary_) == M.shape[1]
# %% wrong: fits anew on the new ticket
similarity = cosine_similarity(TfidfVectorizer(vocabulary=vectorizer.vocabulary_).fit_transform([new]), M)[0]
match = int(similarity.argmax())
score = similarity[match]
# %% wrong: the least similar one
similarity = cosine_similarity(vectorizer.transform([new]), M)[0]
match = int(similarity.argmin())
score = similarity[match]
