"""Whether a call gives the answer that a reference gives: a service with rows made for the reference says."""
