"""The order-free parser of calls (spans to copy, one choice a slot; numpy alone), the induced grammar, what ships."""
