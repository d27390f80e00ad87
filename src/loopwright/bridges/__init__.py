"""Where others hold their graphs, train and keep models: NetworkX, graph learning, the Hub, ONNX.

    networkx/   a backend of NetworkX: `nx.bfs_edges(G, 0, backend="loopwright")`
    hints/      a run as the benchmark's probes: NPZ in its layout, PyG's `Data`
    hub.py      a folder as the Hub expects it: config.json, model.safetensors, a model card
    onnx/       the loop inside an ONNX graph, in float64

Nothing here computes an answer: it puts questions to compiled models, and writes their answers down
as others do.
"""
