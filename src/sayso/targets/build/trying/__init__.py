"""A plan tried in the sandbox: the failure read, the plan repaired, within a budget of tries."""
