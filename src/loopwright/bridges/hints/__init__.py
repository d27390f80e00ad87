"""A run as data for graph learners: inputs, hints and outputs with location, type and stage.

record.py    a run → every variable after every iteration
probes.py    what probes and tasks are, as the benchmark has them [Veličković 2022]
tasks.py     the same → the benchmark's own hints, for its tasks
events.py    the same for programs whose runs note every event
programs/    algorithms that take the benchmark's steps
collect.py   graphs → samples, with all probes
clrs.py      samples ⇄ NPZ in the benchmark's layout; no JAX
pyg.py       samples ⇄ a dataset of PyG
salsa.py     sparse random graphs of three kinds [Minder 2023]
"""
