"""The paper's Table 1: accuracy on the graphs of the CLRS-30 benchmark."""
