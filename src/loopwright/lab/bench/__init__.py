"""How fast: machines and libraries on the same graphs, in one run, as ratios."""
