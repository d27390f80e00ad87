"""How a file of somebody's own is read, and what is said where it cannot be."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from own_files import COMMANDS, HOPS, HOPS_AWAY, PROGRAM, words


def test_the_only_algorithm_needs_no_name(loopwright, roads, file):
    """What a file imports from the package is not its own; a second name is no second algorithm."""
    more = (
        PROGRAM + "\nfrom loopwright.algorithms import bfs\nagain = hops\n_hidden = make_hops()\n"
    )
    for written in (file(more), f"{file(more)}:"):
        report = loopwright("run", written, roads, "--source", "Ulm", "--json").json
        assert report["result"]["hops"] == HOPS_AWAY


def test_several_algorithms_are_listed(refused, roads, file):
    path = file(PROGRAM + "\nother = make_hops()\n")
    assert f"{path} has hops, other: say which, as {path}:hops." in refused("run", path, roads)


def test_no_algorithm_at_all(refused, roads, file):
    path = file("")
    assert f"{path}: no algorithm in it; name " in refused("run", path, roads)
    assert f"as {path}:make_hops." in refused("run", path, roads)


@pytest.mark.parametrize("name", ["a:b.py", "ü ö.py", "with space.py", "dots.in.name.py", "x=y.py"])
def test_odd_paths(loopwright, roads, file, name):
    path = file(name=name)
    for written in (path, f"{path}:hops"):
        assert loopwright("show", written, "--json").json["algorithm"] == "hops"


@pytest.mark.parametrize(
    ("more", "name", "problem"),
    [
        ("", "x", ": no 'x' in it; it has make_hops."),
        (PROGRAM, "hop", ": no 'hop' in it; did you mean 'hops'? It has: hops, make_hops."),
        ("x = [1]\n", "x", ": 'x' is of type list, not an Algorithm, a Program, or a function"),
        ("def f(n, k=1): pass\n", "f", ": 'f' needs arguments (n)"),
        ("def f(): return 3\n", "f", ": 'f' returned a value of type int, no Program."),
        ("f = lw.Program\n", "f", ": 'f' is of type type"),
        ("", "bad\nname", r": no 'bad\nname' in it"),
    ],
    ids=["missing", "near", "list", "arguments", "returns 3", "class", "odd name"],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_algorithm(refused, roads, file, command, more, name, problem):
    path = file(more)
    assert f"{path}{problem}" in refused(*words(command, f"{path}:{name}", roads))
    assert not (roads.parent / "out").exists()


STATEMENTS = """import loopwright as lw

@lw.algorithm(edges="ones", iterations=lambda n: n)
def one(p):
    flag = p.nodes.flag()
    number = p.nodes.index()
    p.halt_when(p.all(flag))
    return {"number": number}
"""


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("number[flag and flag] = 1", ":7: 'flag' has a value on each row of a run"),
        ("number[:] = p.successor()", ":7: 'number[:] = p.successor()': 'number[:] ← A · own_ind"),
        ("flag[:] = 1", ":3: 'one': output 'number' is 'number' as it begins"),
    ],
)
def test_mistakes_in_statements_name_the_line_once(roads, file, refused, statement, said):
    halt = "    p.halt_when"
    path = file("", function=STATEMENTS.replace(halt, f"    {statement}\n{halt}"))
    found = refused("run", path, roads)
    assert found.startswith(f"loopwright: {path}{said}")
    assert "line" not in found.removeprefix(f"loopwright: {path}")


BEHIND = HOPS.count("\n") + 1
"""The line of a file where what is given begins."""


@pytest.mark.parametrize(
    ("more", "line", "problem"),
    [
        ("\ndef (", 1, "SyntaxError: invalid syntax."),
        ("\n\n1 / 0\n", 2, "ZeroDivisionError: division by zero."),
        ("\nimport nowhere_at_all\n", 1, "ModuleNotFoundError: No module named 'nowhere_at_all'."),
        ("\nraise ValueError\n", 1, "ValueError."),
        ("\nraise ValueError('a\\nb')\n", 1, r"ValueError: a\nb."),
        ("\nimport sys\nsys.exit(3)\n", 2, "SystemExit: 3."),
        ("\nopen(__file__ + '.missing')\n", 1, "FileNotFoundError: "),
        ("\nhops = lw.single.flag(3)\n", 1, "3"),
        (
            "\nimport dataclasses\n\nhops = dataclasses.replace(\n    make_hops(), bound=-1)\n",
            3,
            "'hops': bound",
        ),
        ("\ndef hops():\n    return make_hops().oops\n", 2, "AttributeError: 'Program' object has"),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
@pytest.mark.parametrize("command", ["run", "show", "verify", "limits", "bench"])
def test_mistakes_in_a_file(refused, roads, file, command, more, line, problem):
    path = file(more)
    said = refused(*words(command, f"{path}:hops", roads))
    assert f"loopwright: {path}:{BEHIND + line}: " in said
    assert problem in said


def test_a_construction_that_cannot_be_made(refused, roads, file):
    """It is made when it is asked for, and only then."""
    later = (
        "\n\ndef broken():\n    raise RuntimeError('not yet')\n\n\n"
        "hops = lw.algorithms.Algorithm('hops', '', {'mine': make_hops, 'broken': broken})\n"
    )
    path = file(later)
    said = refused(*words("run", path, roads), "--construction", "broken")
    assert f"{path}:{BEHIND + 3}: RuntimeError: not yet." in said


def test_a_program_that_the_compiler_refuses(refused, roads, file):
    deep = HOPS.replace(
        "ops.Set(quiet, ~new),",
        "ops.Set(quiet, ~new), ops.Where(into, quiet, round_, into), "
        "ops.Where(into, new, into, round_), ops.LessThan(quiet, into, round_), "
        "ops.Where(into, quiet, into, round_),",
    )
    path = file(function=deep)
    said = refused(*words("run", f"{path}:hops", roads))
    assert f"loopwright: {path}:hops: step 'look for new nodes'" in said


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x = '\x00'"])
def test_a_file_that_is_no_text(refused, roads, file, content):
    path = file()
    path.write_bytes(content)
    said = refused("run", f"{path}:hops", roads)
    assert f"loopwright: {path}" in said
    assert "Error: " in said


def test_a_file_that_is_not_there(refused, roads, tmp_path):
    path = tmp_path / "no.py"
    assert f"{path}: No such file or directory." in refused("run", f"{path}:hops", roads)
    (tmp_path / "folder.py").mkdir()
    assert "folder.py: " in refused("run", f"{tmp_path / 'folder.py'}:hops", roads)


# ── how a file is read ──────────────────────────────────────────────────────────────────────────


def test_imports_from_beside_the_file(loopwright, roads, tmp_path, monkeypatch):
    """While it is read, and while a construction is made; afterwards the path is as before."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "beside_of_hops.py").write_text(HOPS, encoding="utf-8")
    path = tmp_path / "sub" / "own.py"
    path.write_text(
        "def hops():\n    import beside_of_hops\n    return beside_of_hops.make_hops()\n"
    )
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert loopwright(*words("run", f"{path}:hops", roads)).code == 0
    assert sys.path == before
    sys.modules.pop("beside_of_hops")


def test_a_file_leaves_nothing_behind(loopwright, roads, file, tmp_path):
    """No cache beside it, and no module that another file could import by its name."""
    path = file(name="json_of_mine.py")
    assert loopwright("show", path).code == 0
    assert not (tmp_path / "__pycache__").exists()
    assert "json_of_mine" not in sys.modules


def test_dataclasses_in_a_file(loopwright, roads, file):
    more = (
        PROGRAM + "\nfrom dataclasses import dataclass\n@dataclass\nclass Odd:\n    x: 'int' = 1\n"
    )
    assert loopwright("show", f"{file(more)}:hops").code == 0


def test_a_file_has_its_own_future(loopwright, file):
    """Annotations are what the file says that they are, not what this package does with its own."""
    more = PROGRAM + "\n\ndef f(x: int): pass\n\n\nassert f.__annotations__ == {'x': int}\n"
    outcome = loopwright("show", f"{file(more)}:hops")
    assert (outcome.code, outcome.err) == (0, "")


def test_what_a_file_prints_is_no_output(loopwright, roads, file):
    outcome = loopwright("show", f"{file(PROGRAM + 'print(5 * 5)')}:hops", "--json")
    assert json.loads(outcome.out)["algorithm"] == "hops"
    assert outcome.err == "25\n"


def test_debug_shows_the_traceback(roads, file):
    command = [sys.executable, "-m", "loopwright", "show", f"{file('1 / 0')}:hops", "--debug"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError: division by zero" in done.stderr
    assert "own.py" in done.stderr


def test_names_of_ours_come_first(loopwright, roads, tmp_path, monkeypatch):
    """A file that is called as an algorithm of ours is another thing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dijkstra").write_text("junk")
    (tmp_path / "dijkstra.py").write_text("1 / 0")
    assert loopwright(*words("run", "dijkstra", roads)).code == 0


def test_inputs_of_your_own(loopwright, refused, roads, file):
    """Numbers, one for all nodes or one for each; flags are 0 or 1."""
    given = HOPS.replace('"round", start=0', '"round", start=lw.given("rounds")')
    path = file(function=given)
    command = words("run", f"{path}:hops", roads)
    report = loopwright(*command, "--input", "rounds=10", "--json").json
    assert report["result"]["hops"]["Bonn"] == 11
    rounds = ",".join(str(10 * node) for node in range(len(report["result"]["hops"])))
    report = loopwright(*command, "--input", f"rounds={rounds}", "--json").json
    assert report["result"]["hops"]["Bonn"] == 11
    assert report["result"]["hops"]["Mainz"] == 22
    assert "--input rounds=x: expected rounds=NUMBER." in refused(*command, "--input", "rounds=x")
    assert "no input 'round' for 'hops'" in refused(*command, "--input", "round=1")
    flag = ("run", "multitask", roads, "--source", "Ulm", "--input", "dfs=2")
    assert "--input dfs=2: expected dfs=0 or dfs=1." in refused(*flag)
