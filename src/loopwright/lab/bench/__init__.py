"""How fast it is: machines and libraries on the same graphs, in one run.

    graphs      the graphs that everything is measured on
    libraries   NetworkX, SciPy and rustworkx, each doing the same job
    measure     all of this → one object, as `loopwright bench --json` prints it
    named       the same for models that somebody names, without libraries
    report      that object → rows of a table, sentences, the README's part on speed

Times differ from day to day, so what is reported is their ratios.
"""
