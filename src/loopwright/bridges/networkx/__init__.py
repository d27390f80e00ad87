"""A backend of NetworkX: its functions, answered by runs of compiled models.

In the order of a call:

    info.py         what NetworkX reads when it is imported: names, and the configuration
    backend.py      what it calls: can_run, should_run, conversion, and the functions
    snapshot.py     a NetworkX graph as it was: nodes and edges, in NetworkX's order
    costs.py        the weights of edges as whole numbers, or why they cannot be
    edges.py        the matrix that a model sees: places among neighbours, weights, or both
    programs/       algorithms that follow NetworkX's order: statements, compiled as any other
    asking.py       one run of a model, by the construction and machine that are configured
    declare.py      a function of NetworkX, the programs that answer it, and when they cannot
    shortest.py, hops.py, searches.py, parts.py, acyclic.py, cuts.py, trees.py, measures.py
                    the functions: put a question, and write the answer down as NetworkX does

NetworkX breaks ties by the order of its dicts. So that order is part of the question: the entry of
Ã for an edge u → v is the place of v among the neighbours of u. Where a program needs weights as
well, every node has a twin row, whose edges hold the places.
"""
