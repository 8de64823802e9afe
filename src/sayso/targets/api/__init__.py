"""Web API calls, after Okapi: `language` and `tasks` are what the rest of sayso uses."""
