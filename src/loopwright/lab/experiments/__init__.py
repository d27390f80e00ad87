"""Why training does not find these weights: experiments on the module that runs, and data to try.

    primitives    if-else and less-than, each as a one-step program, compiled for any Ω and ε
    printed       the paper's own matrices for the two, where ours are others
    selection     which weights of a module are parameters, as one vector
    hessian       the Hessian at the construction, in float64 and in exact rationals
    conditioning  its condition number against Ω and 1/ε, of each layer alone  [P §7, App. B.4]
    growth        points → "401 Ω²"

    graphs        small random graphs, reproducible from a seed
    setting       what recover and basin hold fixed
    simulate      a net whose weights were moved, on held-out graphs
    optimisers    gradient descent, Adam, L-BFGS, Levenberg–Marquardt, on one vector
    recover       construction + noise → training → does it still simulate?
    basin         how far weights may move, without training
    plots         the figures

    traces        inputs and outputs of every layer, written to a folder
    shards        the files of that folder, as NPZ or Parquet
    trace_data    the folder again: arrays, records, a PyTorch dataset

Nothing else in the package imports these, but for the commands of the same names.
"""
