"""dm-clrs → the graphs in src/loopwright/lab/clrs/data, as its NOTICE.md describes.

pip install dm-clrs==2.0.3
python scripts/make_clrs30.py            write the files
python scripts/make_clrs30.py --check    only compare with what is there
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import clrs
import numpy as np

from loopwright.lab.clrs.tasks import manifest, sha256

DATA = Path(__file__).parents[1] / "src/loopwright/lab/clrs/data"
KEPT = ("A", "s", "pi", "scc_id", "topo", "topo_head", "is_cut", "is_bridge", "in_mst", "Pi")


def generate(task: str, *, seed: int, num_samples: int, length: int) -> dict[str, np.ndarray]:
    """One split of one task: the kept inputs and outputs, batch first."""
    sampler, _ = clrs.build_sampler(task, seed=seed, num_samples=num_samples, length=length)
    feedback = sampler.next()
    points = [*feedback.features.inputs, *feedback.outputs]
    return {point.name: np.asarray(point.data) for point in points if point.name in KEPT}


def main() -> None:
    wanted = manifest()
    for name, hashes in wanted["files"].items():
        task, _, split = name.removesuffix(".npz").rpartition("_")
        arrays = generate(task, **wanted["splits"][split])
        arrays = {key: arrays[key].astype(np.load(DATA / name)[key].dtype) for key in hashes}
        found = {key: sha256(array) for key, array in arrays.items()}
        if found != hashes:
            sys.exit(f"{name}: dm-clrs gives other arrays than the manifest's: {json.dumps(found)}")
        if "--check" not in sys.argv:
            np.savez_compressed(DATA / name, **arrays)
        print(f"{name}: {', '.join(arrays)}")


if __name__ == "__main__":
    main()
