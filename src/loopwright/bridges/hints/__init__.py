"""A run as data for graph learners: inputs, hints and outputs with location, type and stage.

probes.py    what a probe is, as the benchmark has it [Veličković 2022]
record.py    a run → every variable after every iteration
tasks.py     the same → the benchmark's own hints, for its tasks
replay.py    who was visited when → a depth-first search's hints, event by event
collect.py   graphs → samples, with all probes
clrs.py      samples ⇄ NPZ in the benchmark's layout; no JAX
pyg.py       samples ⇄ a dataset of PyG
salsa.py     sparse random graphs of three kinds [Minder 2023]
"""
