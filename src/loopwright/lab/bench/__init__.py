"""How fast it is: machines and libraries on the same graphs, in one run.

    graphs      the graphs that everything is measured on
    libraries   NetworkX, SciPy and rustworkx, each doing the same job
    timing      how jobs are timed, taking turns
    growth      the power of n by which something grows
    subject     a model on a machine, timed
    large       graphs of up to a million nodes, for constructions that are made for them
    startup     commands from start to end, beside imports
    measure     all of this → one object, as `loopwright bench --json` prints it
    named       the same for models that somebody names, without libraries
    report      that object → rows of a table, sentences, the README's lines, docs/speed.md
    draw        that object → a picture

Times differ from day to day, so what is reported is their ratios.
"""
