"""README-EVAL (§4, §6): which packages are test and which validate, worlds of labels, and the score over partitions."""
