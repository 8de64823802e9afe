"""Whether a call gives the answer that a reference gives: both are asked of a service whose rows the reference decides."""
