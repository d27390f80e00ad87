"""What measures the rest, in the order of reading:

    clrs/          is it right? the paper's Table 1, on the graphs of the CLRS-30 benchmark
    sweep/         where does it break? every limit, driven until answers are wrong
    bench/         how fast is it? machines and libraries on the same graphs
    experiments/   can it be trained? conditioning, recovery from noise, traces as data

Nothing but the command line imports it.
"""
