"""Why training does not find these weights: experiments on the module that runs, and data to try.

    primitives    if-else and less-than, each as a one-step program, compiled for any Ω and ε
    selection     which weights of an MLP are parameters
    hessian       the Hessian at the construction, in float64 and in exact rationals
    conditioning  its condition number against Ω and 1/ε                  [P §7, App. B.4]
    optimisers    gradient descent, Adam, L-BFGS, Levenberg–Marquardt, on one vector
    recover       construction + noise → training → does it still simulate?
    basin         how far weights may move, without training
    simulate      a net whose weights were moved, on held-out graphs
    graphs        small random graphs, reproducible from a seed
    traces        inputs and outputs of every layer, as shards on disk
    trace_data    the shards again: arrays, records, a PyTorch dataset
    plots         the figures

Nothing else in the package imports these, but for the commands of the same names.
"""
