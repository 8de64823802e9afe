"""Small learners without torch; every fit of sayso uses these."""
