"""What changes in X, layer by layer: attention reads a row of the matrix."""

import loopwright as lw

model = lw.compile(lw.algorithms.dijkstra())
edge = model.layout["edge"].columns


class ShowEdges(lw.Observer):
    """Prints what attention has read. A layer is called by the variables that it writes; before
    and after it, another variable may have the same columns."""

    def after_layer(self, iteration: int, layer: int, x) -> None:
        if "edge" in model.layers[layer].writes:
            print(f"iteration {iteration}: row of A at the chosen node: {x[1:, edge].ravel()}")


model.run([("a", "b", 3), ("b", "c", 1.5), ("a", "c", 10)], source="a", observers=[ShowEdges()])
