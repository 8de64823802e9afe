"""What a reader would point at in a call that can be read."""
