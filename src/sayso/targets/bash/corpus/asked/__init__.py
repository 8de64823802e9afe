"""Asked: pairs of a request and a command that we wrote ourselves; how they are checked, stored and counted."""
