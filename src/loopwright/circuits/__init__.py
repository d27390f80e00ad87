"""What each part of a model does, and what happens if it did something else.

components  what adds to the residual stream, and what reads from it
relevance   which columns an answer can depend on, by who reads them
circuit     the graph of components: who reads what whom has written
graphs      small random graphs to try circuits on
ablate      runs with one edge taken away, many at once
check       a circuit, checked by intervention: every edge inside matters, none outside does
moments     where in an iteration a variable has its value
patch       set a variable, run on, and compare with the program's own counterfactual
interchange a variable of one run, put into another; pairs of graphs that differ in one variable
module      a run as an nn.Module, with a named hook point for everything in every iteration
distract    a program with small circuits beside it that no answer depends on
units       hidden units split in two, scaled, and in another order
basis       an orthogonal change of basis that floats carry out exactly
disguise    all of these: the same function, not readable off the axes, and its ground truth
bench/      a benchmark of methods that look for circuits
"""
