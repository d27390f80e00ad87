"""Write the generated parts of docs/networkx.md and docs/learning.md; `--check` only compares.

    functions   which functions of NetworkX there are, from `bridges/networkx/info.py`
    random      the record of `tests/networkx_questions.py`
    onnx        the record of `scripts/check_onnx.py`

The table of NetworkX's tests is written by `scripts/test_networkx.py` itself.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

from loopwright.bridges.networkx.info import FUNCTIONS

DOCS = Path(__file__).parent.parent / "docs"


def functions() -> str:
    count = sum(len(names.split()) for names in FUNCTIONS.values())
    lines = [f"There are {count}.", "", "| module | functions |", "| --- | --- |"]
    for module, names in FUNCTIONS.items():
        path = f"../src/loopwright/bridges/networkx/{module}.py"
        listed = ", ".join(f"`{name}`" for name in sorted(names.split()))
        lines.append(f"| [`{module}.py`]({path}) | {listed} |")
    return "\n".join(lines)


def random() -> str:
    file = DOCS / "figures" / "networkx-random.json"
    if not file.exists():
        return ""
    record = json.loads(file.read_text(encoding="utf-8"))
    alike = Counter[str]()
    for why, count in record["reasons"].items():
        alike[re.sub(r"\d[\d.e+]{4,}", "…", why)] += count
    reasons = "\n".join(f"| {why} | {count:,} |" for why, count in alike.most_common())
    return (
        f"Of {record['graphs']:,} graphs: {record['answers']:,} answers, each equal to NetworkX's; "
        f"{record['different']} different; {record['refused']:,} refused, most of them for these "
        "reasons:\n\n"
        f"| reason | times |\n| --- | --- |\n{reasons}"
    )


def onnx() -> str:
    file = DOCS / "figures" / "onnx.json"
    if not file.exists():
        return ""
    rows = json.loads(file.read_text(encoding="utf-8"))
    lines = [
        "| algorithm | construction | graphs | largest difference |",
        "| --- | --- | --- | --- |",
    ]
    for row in rows:
        lines.append(
            f"| {row['algorithm']} | {row['construction']} | {row['graphs']} | "
            f"{row['largest_difference']:g} |"
        )
    return "\n".join(lines)


PARTS = {
    "networkx.md": {"functions": functions, "random": random},
    "learning.md": {"onnx": onnx},
}


def main() -> None:
    for name, parts in PARTS.items():
        page = (DOCS / name).read_text(encoding="utf-8")
        made = page
        for part, make in parts.items():
            begin, end = f"<!-- {part}:begin -->", f"<!-- {part}:end -->"
            before, rest = made.split(begin)
            made = f"{before}{begin}\n{make()}\n{end}{rest.split(end)[1]}"
        if "--check" in sys.argv and made != page:
            raise SystemExit(f"docs/{name} is out of date: run scripts/update_bridges.py")
        (DOCS / name).write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
