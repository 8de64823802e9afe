"""The systems that ship: recipes, the trunk, both together, and the question back where two readings are close."""
