"""The paper's Table 1: accuracy on the graphs of the CLRS-30 benchmark.

    tasks     which of the benchmark's tasks an algorithm answers, and their graphs
    ask       what is run for a graph: one run, or one for each source
    compare   an answer against the benchmark's array, node by node
    score     all graphs of a split → how many are right

The graphs themselves are in `data/`, with a manifest of their hashes.
"""
