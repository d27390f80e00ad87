"""One file for each format: an opened `Source` → Graph. `runtime.read` chooses by suffix.

A reader believes nothing that a file says about itself: it counts what it reads, and stops at the
numbers in `caps`.
"""
