"""What a request says, typed and placed: numbers, times, names, lists, stretches of words."""
