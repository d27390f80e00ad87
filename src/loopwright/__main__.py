"""`python -m loopwright`: the command line, where its script is not on the path."""

from loopwright.cli import main

main()
