"""A whole run in one file, and any moment of it again.

file     where it is
format   numbers, labels, graphs and answers ↔ JSON
write    a run → the file
lines    the file → its lines, from any place in it
frame    a line → what it changes in X
read     the file → X after any layer, with named columns
draw     a variable → a picture of it over time

The file is text, one JSON object a line, with no spaces between its parts; in order:

    {"format":"loopwright-trace","version":2,…}
        The header: model, graph and inputs, so that a reader needs nothing else.
    {"i":0,"l":16,"whole":{"dists":[[2,3],[512.0,512.0]],…}}
        A whole X: of each variable, the rows where it is not 0, and what it holds there. The first
        is X₀, as if it came of the last layer of an iteration 0. The others repeat what follows
        from the lines before them: whoever wants one frame begins at the last whole X before it.
        One comes whenever the frames since the last have become as long as it was.
    {"i":3,"l":2,"x":{"dists":[[1,4],[2.5,3.0]],"at":[[0],[[0.6,0.8]]]}}
        A frame: what layer 2 (from 0) of iteration 3 (from 1) changed. A layer that changed nothing
        has none. On request there is `"attention"` too, and then in every frame of a layer that has
        heads: for each head groups [who, whom, weights], of rows that attend alike; in [who, whom]
        all of `whom` get the same share, and in [who] each attends to itself alone.
    {"halted":true,"iterations":256,"frames":4352,"outputs":{"dists":[0.0,null,…],…}}
        The end; `frames` counts all layers that ran. Outputs are in the order of the nodes: null is
        unreached, and a node is its index from 0. A run that was stopped has not halted, and null
        for outputs. A file without this line is from a writer that was killed.

Rows are those of X: row 0 holds single variables, node k of the graph (from 0) is in row k + 1. A
position is a pair (sine, cosine). Cells of no variable, which are 0 unless weights were damaged,
are in `"rest":[rows,columns,values]`. Floats are written so that they are read back bit for bit,
but for −0, which is 0; fractions are text, and so are "nan", "inf" and "-inf".
"""

from loopwright.watch.trace.frame import Frame
from loopwright.watch.trace.read import Trace
from loopwright.watch.trace.write import TraceWriter

__all__ = ["Frame", "Trace", "TraceWriter"]
