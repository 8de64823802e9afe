"""Tasks of ours inside other people's evaluation harnesses: lm-evaluation-harness and inspect_ai, with our metrics."""
