"""How much of a file is read before it is refused, and why no honest one is larger.

Memory is what these protect: each bounds what a small hostile file can make of itself, so that the
worst costs some 2 GB and a minute, and most cost nothing. Whoever has more makes the graph in
Python: `Graph.from_matrix` and `Graph.from_edges` have no such bounds.
"""

MOST_NODES = 2**20
"""Float64 tells some 170,000 positions apart (see `Limits.constants`): six times that."""

MOST_EDGES = 2**24
"""Some 100 bytes each while they are read, so 2 GB; on 170,000 nodes, 100 for each."""

MOST_BYTES = 2**28
"""Of a file after decompression, 256 MiB: `MOST_EDGES` lines of 16 characters. Formats that are
read line by line or as arrays take little more memory than this."""

MOST_DOCUMENT_BYTES = 2**26
"""Of a format that is parsed as a whole: `[[],[],…` takes 25 times its size in memory."""

MOST_GML_BYTES = 2**24
"""networkx tokenizes GML at some 2 MB a second: more would look like a hang."""

LONGEST_LINE = 2**16
"""Characters: an edge has two labels and a number. Also the longest tag of an XML file."""

DEEPEST = 64
"""Elements within elements: GraphML needs 4, the editors' drawings some 10."""

MOST_ELEMENTS = 2**22
"""Elements of an XML file: more than a file of `MOST_DOCUMENT_BYTES` has room for, unless they are
empty."""

MOST_MEMBERS = 32
"""Arrays of an NPZ archive: SciPy writes 6 at most."""
