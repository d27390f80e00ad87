"""Put what was measured into docs/circuits.md: ablation, interchange, disguises, the benchmark."""

from __future__ import annotations

import json
import re
from pathlib import Path

from loopwright.circuits.bench.run import markdown

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "circuits.md"


def read(path: str) -> list[dict]:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def table(head: tuple[str, ...], rows: list[tuple]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def ablation() -> str:
    return table(
        (
            "algorithm",
            "construction",
            "grain",
            "edges",
            "change an answer",
            "redundant",
            "outside",
            "matter",
        ),
        [
            (
                *(each["algorithm"], each["construction"], each["grain"], each["edges"]),
                *(each["change an answer"], len(each["redundant"])),
                *(f"{each['outside']:,}", len(each["outside that matter"])),
            )
            for each in read("benchmarks/circuits.json")
        ],
    )


def interchange() -> str:
    return table(
        (
            "algorithm",
            "construction",
            "interventions",
            "variables",
            "another value",
            "equal",
            "different",
            "undefined",
        ),
        [
            (
                *(each["algorithm"], each["construction"], f"{each['interventions']:,}"),
                *(each["variables"], each["another value than before"]),
                *(format(each["equal to the program's"], ","), each["different"]),
                each["the program has no answer"],
            )
            for each in read("benchmarks/interchange.json")
        ],
    )


def disguise() -> str:
    return table(
        ("algorithm", "construction", "graphs", "same answer and iterations"),
        [
            (each["algorithm"], each["construction"], f"{each['graphs']:,}", f"{each['same']:,}")
            for each in read("benchmarks/disguise.json")
        ],
    )


PARTS = {
    "ablation": ablation,
    "interchange": interchange,
    "disguise": disguise,
    "bench": lambda: markdown(read("docs/figures/circuits.json")),
}


def updated(page: str) -> str:
    for name, part in PARTS.items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        new = f"{begin}\n{part()}\n{end}"
        page, count = re.subn(f"{begin}.*?{end}", lambda _, new=new: new, page, flags=re.DOTALL)
        assert count == 1, name
    return page


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
