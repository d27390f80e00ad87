"""One file for each format: a `Source` → the parts of a graph. `runtime.read` chooses by suffix.

A reader believes nothing that a file says about itself: it counts what it reads, and stops at the
numbers in `caps`. Its errors need not name the file: `source` sees to that.
"""
