"""A request as Bash reads it: which constants a command uses, spelling, parts that are said one after the other."""
