"""The program `loopwright`, and `python -m loopwright`: a process that runs one command.

Before all else it sees to Ctrl-C: an exception in the middle of an import would be shown as it is,
or be taken for a missing module. Then `loopwright.cli.process` sees to it: Ctrl-C goes on ending
the process at once until `main` is ready to catch an exception.
"""

import gc
import os
import signal


def end_at_once(*_: object) -> None:
    """As `process.end_at_once`, but with nothing imported."""
    os.write(2, b"loopwright: interrupted\n")
    os._exit(130)


OURS = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # under `nohup` it is not
if OURS:
    signal.signal(signal.SIGINT, end_at_once)

from loopwright.cli import main, process  # noqa: E402

if OURS:
    signal.signal(signal.SIGINT, process.end_at_once)

# What a command imports and compiles stays until it ends. To look through all of it for garbage,
# again and again as it grows, took an eighth of a short command's time.
gc.set_threshold(100_000)

if __name__ == "__main__":
    main()
