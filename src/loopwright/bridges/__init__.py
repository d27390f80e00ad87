"""Where others hold their graphs, train and keep models: NetworkX, graph learning, the Hub, ONNX.

    networkx/   a backend of NetworkX: `nx.bfs_edges(G, 0, backend="loopwright")`
    hints/      a run as the benchmark's probes: NPZ in its layout, PyG's `Data`
    onnx/       the loop inside an ONNX graph, in float64

(A folder as the Hub expects it is a way to save a model: `runtime/hub.py`.)

Nothing here computes an answer: it puts questions to compiled models, and writes their answers down
as others do.
"""
