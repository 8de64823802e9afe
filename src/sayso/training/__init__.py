"""Training: encoded examples to batches, one loop, checkpoints, and the folder that travels to a GPU.

Importing this package loads neither torch nor numpy. Everything below needs only those two, safetensors, and `models`.
"""
