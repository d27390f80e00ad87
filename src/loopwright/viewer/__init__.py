"""A run, to be looked at: one HTML file that needs nothing else, and the same in a notebook.

show        a model and a graph, or a trace → View, which saves and shows itself
breaking    weights with one number changed
record      model, graph → a trace of the run, and where program and weights part
columns     which variable a column of X holds, in X₀ and after each layer
frames      trace → X₀, and the cells that each layer changes
facts       trace, weights → graph, program, columns and weights, as a page knows them
replay      a trace, and the model that is said to have run → what it ran on, if that is so
gather      a run → all that a page knows of it
page        all of it → HTML
page/       the page itself: one template, its style, and small scripts in the order of the flow

The page computes nothing of the run. X is what the trace holds; only attention and hidden units,
which a trace does not hold, are computed from it and the weights, by the paper's two equations.
"""

from loopwright.viewer.show import View, view

__all__ = ["View", "view"]
