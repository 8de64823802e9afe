# %% [markdown]
# # Thumbnails by hand
# Grey images are just matrices.
# %%
import numpy as np

img = np.arange(24, dtype=float).reshape(4, 6)
img
# %% [markdown]
# Taking every second pixel loses detail (thin lines vanish):
# %%
img[::2, ::2]
# %% [markdown] task
# So let's average instead. Define `block_mean(image, k)` that replaces every k × k block by its mean. Height and width can be assumed to be multiples of k; the image need not be square.
# %% solution
def block_mean(image, k):
    h, w = image.shape
    return image.reshape(h // k, k, w // k, k).mean(axis=(1, 3))
# %% tests
small = np.asarray(block_mean(img, 2))
assert small.shape == (2, 3)
assert np.allclose(small, [[3.5, 5.5, 7.5], [15.5, 17.5, 19.5]])
assert np.allclose(block_mean(np.arange(9.0).reshape(3, 3), 3), [[4.0]])
assert np.allclose(block_mean(img, 1), img)
# %% wrong: takes one pixel per block
def block_mean(image, k):
    return image[::k, ::k]
# %% wrong: averages over the wrong axes
def block_mean(image, k):
    h, w = image.shape
    return image.reshape(h // k, k, w // k, k).mean(axis=(0, 2))
