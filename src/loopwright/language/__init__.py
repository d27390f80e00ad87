"""Programs: variables, ops, steps, and what they mean."""
