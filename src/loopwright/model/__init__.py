"""The contract between build time and run time: all that a saved file holds, and no code that runs.

layout       variable name → columns of X
limits       which graphs a model must be right on → the constants of its weights
demands      what a program asks of numbers, for the certificate
provenance   which op of the program each head and hidden unit serves
weights      the matrices, with the layout: frozen arrays
cost         a model's row in a table
markup       rows → an HTML table, for notebooks
paths        what a caller names as a file → a path
description  weights ↔ JSON and named tensors
files        how files are written: whole or not at all
storage      weights ↔ file
"""
