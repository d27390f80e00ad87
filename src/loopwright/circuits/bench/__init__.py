"""A benchmark of methods that look for circuits, on models whose circuits are known.

tasks    ten models, some in disguise, with graphs and the edges that matter
kept     runs in which only some edges are left
methods  what is tried: each gives every edge a score
stream   where the residual stream holds variables: axes, linear probes, a sparse dictionary
score    scores against the truth
folder   a task as a folder that anyone can read: safetensors, JSON, a model card
run      all of it, resumable, and the table
draw     one picture of it
"""
