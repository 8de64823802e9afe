"""A local page to judge candidates, describe commands, phrase calls and label steps, blind to the system."""
