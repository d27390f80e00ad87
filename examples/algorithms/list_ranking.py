"""List ranking by pointer jumping: how many steps is each node from the end of its list?

A node's only edge leads to the next one of its list. All nodes jump at once: whoever has come 2ᵏ
steps far adds what the node there has come, and takes over its pointer. Going from node to node
takes n iterations; this takes ⌈log₂ n⌉ + 1, the first of which only reads the pointers.

    loopwright run examples/algorithms/list_ranking.py list.txt

[Wyllie 1979]
"""

import loopwright as lw


@lw.algorithm(
    edges="ones", needs=("functional", "acyclic"), iterations=lambda n: n, counts=lambda n: n
)
def list_ranking(p):
    """How many edges each node is from the end of its list."""
    rank = p.nodes.count()
    pointer = p.nodes.index()
    begun = p.nodes.flag()

    rank[:] = rank + rank[pointer]
    pointer[:] = pointer[pointer]
    pointer[~begun] = p.successor()
    rank[~begun] = pointer > 0
    begun[:] = 1

    p.halt_when(p.all(pointer == 0))
    return {"rank": rank}
