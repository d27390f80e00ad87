"""PyTorch on one thread, where a graph is too small to share out."""

# torch has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from threading import Lock

import torch


class OneThread:
    """Runs on the calling thread alone, and then lets PyTorch have its threads back.

    One graph is too small to share out: threads wait for one another longer than they work (with
    a second process on two cores, 90 ms an iteration in place of 2). Many graphs are spread over
    the cores by `run_many`, or go into one batch, which is not held back by this.

    A new Python thread inherits the count of the thread that set it last. So what is given back is
    what was found by the first to enter, not by those who entered meanwhile and found 1.
    """

    def __init__(self) -> None:
        self.lock, self.inside, self.outside = Lock(), 0, 1

    def __enter__(self) -> None:
        with self.lock:
            if not self.inside:
                self.outside = torch.get_num_threads()
            self.inside += 1
            torch.set_num_threads(1)

    def __exit__(self, *problem: object) -> None:
        with self.lock:
            self.inside -= 1
            torch.set_num_threads(self.outside)


one_thread = OneThread()
