"""Whether two commands do the same, found by running both over made-up file trees."""
