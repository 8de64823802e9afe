"""The order-free parser of web API calls: spans to copy, one choice a slot, no left-to-right decoding; numpy only."""
