"""What changes in X, layer by layer: attention reads a row of the matrix."""

import loopwright as lw

model = lw.compile(lw.algorithms.dijkstra("compact"))
row = model.layout["A_row"].columns


class ShowRow(lw.Observer):
    """Prints the row that attention has read."""

    def after_layer(self, iteration: int, layer: int, x) -> None:
        if model.layers[layer].name == "relax its edges":
            print(f"iteration {iteration}: row of A at the chosen node: {x[1:, row].ravel()}")


model.run([("a", "b", 3), ("b", "c", 1.5), ("a", "c", 10)], source="a", observers=[ShowRow()])
