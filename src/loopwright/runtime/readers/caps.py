"""How much of a text is read before it is refused, and why no honest one is larger.

These hold for all that others may have written: graphs, programs of SUBLEQ, counter and Turing
machines, and the numbers that a command is given. Memory is what they protect: each bounds what a
small hostile file can make of itself, so that the worst costs some 2 GB and a minute, and most cost
nothing. Whoever has more makes the graph in Python: `Graph.from_matrix` and `Graph.from_edges` have
no such bounds.
"""

MOST_NODES = 2**20
"""A graph has at most this many: six times the 170,000 that float64 tells apart by position (see
`Limits.constants`)."""

MOST_EDGES = 2**24
"""An edge takes some 100 bytes while it is read, so these take 2 GB; 170,000 nodes may have 100
edges each."""

MOST_BYTES = 2**28
"""A file has at most 256 MiB after decompression: `MOST_EDGES` lines of 16 characters. Formats
that are read line by line or as arrays take little more memory than this."""

MOST_DOCUMENT_BYTES = 2**26
"""A file that is parsed as a whole has fewer: `[[],[],…` takes 25 times its size in memory."""

MOST_GML_BYTES = 2**24
"""networkx tokenizes GML at some 2 MB a second: more would look like a hang."""

MOST_PROGRAM_BYTES = 2**20
"""The text of a program or a machine has at most 1 MiB: as many instructions as there may be, of 16
characters each. lark reads some 50 kB a second."""

LONGEST_LINE = 2**16
"""A line has at most this many characters: an edge has two labels and a number. So have the
attributes of an XML element."""

MOST_LINES = 2**25
"""A file that is read line by line has at most this many, twice `MOST_EDGES`: empty ones take no
memory, and would else be read for minutes."""

LONGEST_NUMBER = 1100
"""A number has at most this many characters: every double written out in full has fewer."""

LARGEST_EXPONENT = 1000
"""Exponents are smaller: 1e999999999 is twelve characters, and as a fraction it fills memory."""

DEEPEST = 64
"""XML elements are within at most this many others: GraphML needs 4, the editors' drawings some
10."""

MOST_ELEMENTS = 2**22
"""An XML file has at most this many elements: there is room for more in `MOST_DOCUMENT_BYTES` only
if they are empty."""

MOST_MEMBERS = 32
"""An NPZ archive has at most this many arrays: SciPy writes 6."""
