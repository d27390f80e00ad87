"""Looking at a run, beside it: all but `interpret` are observers, or what they are made of.

interpret   a program's own answer, by the meaning of its ops, without weights
verify      program and weights in lockstep: the first cell that differs
decisions   how near the decisions of a step are to going the other way
monitor     how close a run comes to going wrong, step by step
trace/      a whole run in one file, and any moment of it again
"""
