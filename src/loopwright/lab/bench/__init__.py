"""How fast: machines and libraries on the same graphs, in one run, as ratios.

graphs      the graphs that everything is measured on
libraries   NetworkX, SciPy and rustworkx, each doing the same job
peak        the multiply-adds that a run needs, and those that one core can do
measure     all of this → one object, as `loopwright bench --json` prints it
report      that object → rows of a table, sentences, the README's part on speed
"""
