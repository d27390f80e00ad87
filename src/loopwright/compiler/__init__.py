"""Programs → weights."""
