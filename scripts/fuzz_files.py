"""Break valid files of every format at random, and see that the readers only ever refuse.

    .venv/bin/python scripts/fuzz_files.py --seconds 600 --seed 1

A child process reads, runs what turns out to be a model, and goes through what is a trace, within a
limit of memory; the parent mutates, waits, and notes what went wrong: a crash (any exception but
our own, or a signal), a hang (longer than `PATIENCE`), memory (more than `ROOM` above an idle
child), or a message of several lines. Files that did it are kept. Exits with 1 if there were any.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import networkx as nx
import numpy as np
import scipy.io
import scipy.sparse
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

import loopwright as lw
from loopwright.errors import LoopwrightError
from loopwright.model.storage import digest

PATIENCE = 10.0
"""Seconds for a file of some kilobytes; reading one takes milliseconds."""

ROOM = 256 * 2**20
"""Bytes that such a file may make a reader take."""

ADDRESS_SPACE = 4 * 2**30

NUMBERS = [
    *"0 1 -1 2 7 255 65535 65536 -0 0.0 1e308 1e309 -1e400 1e-400 5e-324 1e999999999".split(),
    *"nan NaN inf -Infinity 1/3 1/0 0x10 1_000 2147483647 2147483648 4294967296 1048577".split(),
    *"9223372036854775807 9223372036854775808 18446744073709551616 1152921504606846976".split(),
    *("1e-99999999", "1e0_999999999", "1e٩٩٩٩٩٩٩٩٩", "9" * 50, "9" * 5000),
]
WORDS = [
    *b"\0 \xff \xef\xbb\xbf \xed\xa0\x80 , ; : # % & < > [ ] { } ( ) \" ' / \\ _".split(b" "),
    *b"&b; &#x110000; &#0; ]]> <graph> <![CDATA[ null true symmetric array pattern".split(),
    *b"complex |O 'descr' dia bsr ../../etc/passwd source,target \xf0\x9f\x98\x80".split(),
    *(b"\n", b"\r", b"\t", b"node [", b"edge [", b"multigraph 1", b'"weight"'),
    *(b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY\x01\x00", b"\x1f\x8b\x08"),
    b'<!DOCTYPE a [<!ENTITY b "c">]>',
]


def graphs() -> dict[str, bytes]:
    """Name with suffix → a valid file, small, for every format and form."""
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(
        [("a", "b", 0.5), ("b", "c", 2.0), ("c", "a", 1.0), ("ä", "a", 3)]
    )
    numbers = nx.convert_node_labels_to_integers(graph)
    dense = nx.to_numpy_array(graph)
    symmetric = dense + dense.T
    pairs = [(u, v, d["weight"]) for u, v, d in graph.edges(data=True)]
    files = {
        "list.txt": "".join(f"{u} {v} {w}\n" for u, v, w in pairs) + "alone # one\n",
        "comma.csv": "source,target,weight\n" + "".join(f'"{u}",{v},{w}\n' for u, v, w in pairs),
        "named.csv": "from;x;to\n" + "".join(f"{u};{w};{v}\n" for u, v, w in pairs),
        "tabs.tsv": "u\tv\n" + "".join(f"{u}\t{v}\n" for u, v, _ in pairs),
        "directed.graphml": "\n".join(nx.generate_graphml(graph)),
        "undirected.graphml": "\n".join(nx.generate_graphml(graph.to_undirected())),
        "directed.gml": "\n".join(nx.generate_gml(graph)),
        "plain.gml": "graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 weight 3 ] ]",
        "link.json": json.dumps(nx.node_link_data(graph, edges="edges"), indent=1),
        "old.json": json.dumps(nx.node_link_data(numbers, edges="links")),
        "adjacency.json": json.dumps(nx.adjacency_data(graph.to_undirected())),
    }
    made = {name: text.encode() for name, text in files.items()}
    for name, matrix, symmetry in [
        ("real.mtx", scipy.sparse.coo_array(dense), "general"),
        ("symmetric.mtx", scipy.sparse.coo_array(symmetric), "symmetric"),
        ("dense.mtx", dense, "general"),
        ("half.mtx", symmetric, "symmetric"),
        ("whole.mtx", scipy.sparse.coo_array(dense > 0).astype(np.int64), "general"),
    ]:
        buffer = io.BytesIO()
        scipy.io.mmwrite(buffer, matrix, symmetry=symmetry)
        made[name] = buffer.getvalue()
    for form in ("csr", "csc", "coo", "dia", "bsr"):
        buffer = io.BytesIO()
        sparse = getattr(scipy.sparse, f"{form}_array")(dense)
        scipy.sparse.save_npz(buffer, sparse, compressed=form != "coo")
        made[f"{form}.npz"] = buffer.getvalue()
    buffer = io.BytesIO()
    np.savez(buffer, dense)
    made["dense.npz"] = buffer.getvalue()
    for name in ("list.txt", "real.mtx", "link.json"):
        made[f"{name}.gz"] = gzip.compress(made[name])
    return made


def models(folder: Path) -> dict[str, bytes]:
    path = folder / "made.safetensors"
    made: dict[str, bytes] = {}
    for name in ("dijkstra", "dfs"):
        lw.compile(lw.algorithms.ALGORITHMS[name]("compact")).save(path)
        made[f"{name}.safetensors"] = path.read_bytes()
    return made


def traces(folder: Path) -> dict[str, bytes]:
    path = folder / "made"
    model = lw.compile(lw.algorithms.dijkstra("compact"))
    made: dict[str, bytes] = {}
    for machine in ("native", "exact"):
        writer = lw.TraceWriter(path, attention=True)
        model.run(GRAPH, source="a", machine=machine, observers=[writer])
        made[f"{machine}.trace"] = path.read_bytes()
    return made | {"native.trace.gz": gzip.compress(made["native.trace"])}


# ── mutations ───────────────────────────────────────────────────────────────────────────────────


def mutate_bytes(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """A few of the usual accidents and tricks."""
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at, to = sorted(rng.randrange(len(out) + 1) for _ in range(2))
        kind = rng.randrange(10)
        if kind == 0:
            del out[rng.randrange(len(out) + 1) :]
        elif kind == 1 and out:
            out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
        elif kind == 2 and out:
            out[rng.randrange(len(out))] = rng.randrange(256)
        elif kind == 3:
            del out[at : min(to, at + 50)]
        elif kind == 4:
            out[at:at] = out[at:to] * rng.choice([1, 2, 100])
        elif kind == 5:
            out[at:at] = rng.choice(WORDS) * rng.choice([1, 1, 2, 3000])
        elif kind == 6:
            found = list(re.finditer(rb"[0-9][0-9.eE+-]*", out))
            if found:
                number = rng.choice(found)
                out[number.start() : number.end()] = rng.choice(NUMBERS).encode()
        elif kind == 7:
            other = rng.choice(others)
            cut = rng.randrange(len(other) + 1)
            out[at:to] = other[cut : cut + 200]
        elif kind == 8:
            lines = out.split(b"\n")
            rng.shuffle(lines)
            out = bytearray(b"\n".join(lines))
        elif at + 8 <= len(out):
            width = rng.choice([1, 2, 4, 8])
            out[at : at + width] = rng.choice([0, 2**63, 2**60, 2**40, 2**64 - 1, 2**31]).to_bytes(
                8, "little"
            )[-width:]
        if len(out) > 2**20:
            del out[2**20 :]
    return bytes(out)


def mutate_npz(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """Inside the archive, so that its checksums still fit."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name in rng.sample(sorted(members), rng.randint(1, len(members))):
        array = np.load(io.BytesIO(members[name]))
        if rng.random() < 0.4 or array.dtype.kind not in "iuf":
            members[name] = mutate_bytes(members[name], rng, others)
            continue
        with np.errstate(all="ignore"):
            choice = rng.choice([0, -1, 1, 2**31, 2**62, -(2**63), 5, 3])
            flat = array.ravel().copy()
            if flat.size:
                flat[rng.randrange(flat.size)] = choice if array.dtype.itemsize == 8 else 7
            array = flat.reshape(array.shape)
            if rng.random() < 0.3:
                array = array.astype(rng.choice(["f4", "i2", "u8", "c16", "U3", "?", "f2"]))
            if rng.random() < 0.2:
                array = rng.choice([array[:-1], array[None], np.repeat(array, 2), array[:0]])
        buffer = io.BytesIO()
        np.save(buffer, array)
        members[name] = buffer.getvalue()
    if rng.random() < 0.1:
        members[rng.choice(["../x.npy", "/etc/x.npy", "x", "data.npy.npy"])] = b"x"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", rng.choice([0, 8, 8, 12, 14])) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def mutate_value(value: object, rng: random.Random) -> object:
    """Somewhere in a tree of JSON, another value, or one less, or one more."""
    if isinstance(value, dict | list) and value and rng.random() < 0.9:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = rng.choice(keys)
        if rng.random() < 0.08:
            del value[key]
        else:
            value[key] = mutate_value(value[key], rng)
        return value
    deep: object = 0
    for _ in range(rng.choice([3, 500])):
        deep = [deep]
    texts = [*NUMBERS, "", "own", "input:", "input:x", "flag", "A", "../x", "\x1b[2J\n"]
    plain = [None, True, -1, 0, 1, 10**30, 2**62, 1.5, float("nan"), 1e308, [], {}, deep]
    return rng.choice([*plain, *texts])


def mutate_model(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """The description or a tensor, with a digest that fits again."""
    length = int.from_bytes(data[:8], "little")
    metadata = json.loads(data[8 : 8 + length])["__metadata__"]
    tensors = load_tensors(data)
    description = json.loads(metadata["model"])
    for _ in range(rng.choice([1, 1, 2, 5])):
        if rng.random() < 0.75:
            description = mutate_value(description, rng)
            continue
        name = rng.choice(sorted(tensors))
        tensor = tensors[name].copy()
        if tensor.size:
            tensor.flat[rng.randrange(tensor.size)] = rng.choice([np.nan, np.inf, 1e30, -1, 0])
        tensors[name] = rng.choice(
            [tensor, tensor.astype("f4"), tensor[:-1], tensor.ravel(), tensor[None], tensor[:0]]
        ).copy()
    text = json.dumps(description)
    sealed = {"model": text, "sha256": digest(text, tensors)}
    return save_tensors(tensors, {**metadata, **sealed})


def mutate_trace(data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    """One of its lines, or two, which are JSON each."""
    lines = data.splitlines()
    for _ in range(rng.choice([1, 1, 2])):
        k = rng.randrange(len(lines))
        changed = mutate_value(json.loads(lines[k]), rng)
        lines[k] = json.dumps(changed, separators=(",", ":")).encode()
    return b"\n".join([*lines, b""])


def mutate(name: str, data: bytes, rng: random.Random, others: list[bytes]) -> bytes:
    inside: dict[str, Callable[[bytes, random.Random, list[bytes]], bytes]] = {
        ".npz": mutate_npz,
        ".safetensors": mutate_model,
        ".trace": mutate_trace,
        ".gz": lambda data, rng, others: gzip.compress(
            mutate_bytes(gzip.decompress(data), rng, others)
        ),
        ".json": lambda data, rng, _: json.dumps(mutate_value(json.loads(data), rng)).encode(),
    }
    chosen = inside.get(Path(name).suffix, mutate_bytes)
    return (chosen if rng.random() < 0.6 else mutate_bytes)(data, rng, others)


# ── the child ───────────────────────────────────────────────────────────────────────────────────


GRAPH = lw.Graph.of([("a", "b", 1.0), ("b", "c", 2.0), ("a", "c", 4.0)])


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def read_one(path: Path) -> str:
    """`read`, `refused`, or what is wrong with how it was refused."""
    try:
        if path.suffix == ".safetensors":
            run_one(lw.load(path))
        elif ".trace" in path.suffixes:
            look_through(lw.Trace.load(path))
        else:
            lw.Graph.of(path)
    except LoopwrightError as problem:
        message = str(problem)
        if "not enough memory" in message:
            return "memory: it ran out"
        return "refused" if message.isprintable() else f"several lines: {message!r}"
    except BaseException:
        return "crash: " + traceback.format_exc()[-1500:]
    return "read"


def run_one(model: lw.Model) -> None:
    """For a few iterations, whatever it computes."""
    source = {} if model.source == "none" else {"source": "a"}
    for machine in ("native", "reference"):
        model.run(GRAPH, machine=machine, max_iterations=20, **source)


def look_through(trace: lw.Trace) -> None:
    """At the first frames, at the last, and at all else that there is."""
    start = trace.start
    for frame in islice(trace, 12):
        assert frame.x.shape == start.x.shape
    if len(trace):
        assert trace[trace.iterations, (len(trace) - 1) % len(trace.layers)].changed is not None
    assert repr(trace)
    assert trace.program


def serve() -> None:
    """Read a path from each line, and answer with a line."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    np.seterr(all="ignore")
    run_one(lw.compile(lw.algorithms.dijkstra("compact")))
    idle = peak()
    for line in sys.stdin:
        answer = read_one(Path(line.rstrip("\n")))
        if peak() > idle + ROOM:
            answer = f"memory: {(peak() - idle) >> 20} MiB above idle; {answer}"
        print(json.dumps(answer), flush=True)


class Child:
    """The reading process, started again whenever it is gone."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self.ready = False
        """Whether it has answered once: its first answer has to wait for its imports."""

    def ask(self, path: Path) -> str:
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, __file__, "--serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self.answers: Queue[str] = Queue()
            Thread(target=self._listen, args=(self.process, self.answers), daemon=True).start()
        assert self.process.stdin
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        try:
            line = self.answers.get(timeout=PATIENCE if self.ready else 60)
        except Empty:
            self.stop()
            return f"hang: no answer in {PATIENCE:g} s"
        self.ready = bool(line)
        if not line:
            return f"crash: the process ended with {self.stop()}"
        answer = json.loads(line)
        if answer.startswith("memory"):
            self.stop()
        return answer

    @staticmethod
    def _listen(process: subprocess.Popen[str], answers: Queue[str]) -> None:
        assert process.stdout
        for line in process.stdout:
            answers.put(line)
        answers.put("")

    def stop(self) -> int | None:
        if self.process is None:
            return None
        self.process.kill()
        code = self.process.wait()
        self.process, self.ready = None, False
        return code


def fuzz(seconds: float, seed: int, keep: Path) -> int:
    rng = random.Random(seed)
    failures, counts = 0, Counter[tuple[str, str]]()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        seeds = graphs() | models(Path(folder)) | traces(Path(folder))
        child, others = Child(), [data for data in seeds.values()]
        for name, data in seeds.items():
            path = Path(folder) / name
            path.write_bytes(data)
            answer = child.ask(path)
            assert answer == "read", (name, answer)
        while time.monotonic() < begin + seconds:
            name = rng.choice(list(seeds))
            data = mutate(name, seeds[name], rng, others)
            path = Path(folder) / name
            path.write_bytes(data)
            answer = child.ask(path)
            kind = answer.partition(":")[0]
            counts["".join(Path(name).suffixes), kind] += 1
            if kind not in ("read", "refused"):
                failures += 1
                keep.mkdir(parents=True, exist_ok=True)
                kept = keep / f"{seed}-{sum(counts.values())}-{name}"
                kept.write_bytes(data)
                print(f"{kept}: {answer}", flush=True)
        child.stop()
    for suffix in sorted({suffix for suffix, _ in counts}):
        kinds = {kind: count for (of, kind), count in sorted(counts.items()) if of == suffix}
        print(f"{suffix:14}", "  ".join(f"{kind} {count}" for kind, count in kinds.items()))
    spent = time.monotonic() - begin
    print(f"{sum(counts.values())} files in {spent:.0f} s, seed {seed}: {failures} failures")
    return 1 if failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "fuzzed")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return 0
    return fuzz(given.seconds, given.seed, given.keep)


if __name__ == "__main__":
    sys.exit(main())
