"""How sure a call is, and which words of the request it leaves unused."""
