"""Build scripts from READMEs, after README-EVAL: `language` and `tasks` are what the rest of sayso uses."""
