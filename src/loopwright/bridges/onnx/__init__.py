"""A model as an ONNX graph, with the loop inside, in float64.

graph.py     weights → nodes of ONNX, layer by layer; the kinds of heads
write.py     the file: inputs X₀, Ã and how many iterations are allowed; outputs X and when
compare.py   ONNX Runtime against `reference`, cell by cell
"""
