"""What was trained, run without torch: bundles, the trunk on its compiled runtime, beam search, meaning."""
