"""ONNX Runtime against `reference`: every algorithm, 100 random graphs; docs/figures/onnx.json."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from loopwright.algorithms import ALGORITHMS

RECORD = Path(__file__).parent.parent / "docs" / "figures" / "onnx.json"


def main() -> None:
    graphs = sys.argv[1] if len(sys.argv) > 1 else "100"
    rows = []
    for name, algorithm in ALGORITHMS.items():
        if not algorithm().bound:
            continue  # a computer: it runs as long as its program does
        with tempfile.TemporaryDirectory() as folder:
            words = ["export", name, "--onnx", f"{folder}/model.onnx", "--check", graphs, "--json"]
            done = subprocess.run(
                [sys.executable, "-m", "loopwright", *words],
                capture_output=True,
                text=True,
                check=True,
            )
        rows.append({k: v for k, v in json.loads(done.stdout).items() if k != "onnx"})
        print(rows[-1])
    RECORD.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
