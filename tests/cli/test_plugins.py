"""Algorithms of other packages, as entry points of a distribution that lies on sys.path."""

from __future__ import annotations

import sys

import pytest

from own_files import ALGORITHM, COMMANDS, HOPS, HOPS_AWAY, words


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put a package on the path, with a module and what its entry points say."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    modules = set(sys.modules)

    def write(package, points, code=None):
        info = folder / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[loopwright.algorithms]\n{points}\n")
        if code is not None:
            (folder / f"{package}.py").write_text(code, encoding="utf-8")

    yield write
    for name in set(sys.modules) - modules:
        if name.startswith("other_"):
            del sys.modules[name]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command(loopwright, install, roads, command):
    install("other_pack", "far-away = other_pack:hops", HOPS + ALGORITHM)
    outcome = loopwright(*words(command, "far-away", roads))
    assert (outcome.code, outcome.err) == (0, "")
    assert "hops" in outcome.out


@pytest.mark.parametrize("thing", ["hops", "make_hops"])
def test_an_answer(loopwright, install, roads, thing):
    install("other_pack", f"far-away = other_pack:{thing}", HOPS + ALGORITHM)
    report = loopwright(*words("run", "far-away", roads), "--json").json
    assert report["result"]["hops"] == HOPS_AWAY


@pytest.mark.parametrize(
    ("target", "code", "problem"),
    [
        ("other_pack:hops", "1 / 0", "ZeroDivisionError: division by zero."),
        ("other_pack:hops", "", "AttributeError: module 'other_pack' has no attribute 'hops'."),
        ("other_missing:hops", "", "ModuleNotFoundError: No module named 'other_missing'."),
        ("other_pack:hops", "def (", "SyntaxError: "),
        ("other_pack:hops", "hops = 3", "is of type int, not an Algorithm"),
        ("other_pack:hops", "def hops(): 1 / 0", "ZeroDivisionError: "),
        ("::", "", "Error"),
    ],
)
def test_a_broken_package(refused, loopwright, install, roads, target, code, problem):
    """One line that names it; whoever asks for another algorithm never hears of it."""
    install("other_pack", f"far-away = {target}", code)
    said = refused(*words("run", "far-away", roads))
    assert "other_pack" in said
    assert problem in said
    assert loopwright(*words("run", "dijkstra", roads)).code == 0


def test_a_line_that_is_no_entry_point(refused, loopwright, install, roads):
    install("other_pack", "far-away")
    said = refused(*words("run", "far-away", roads))
    assert "package other_pack, entry_points.txt" in said
    assert loopwright(*words("run", "dijkstra", roads)).code == 0
    page = loopwright("run", "--help")
    assert page.code == 0
    assert "cannot be listed: package other_pack" in " ".join(page.out.split())


def test_two_packages_with_one_name(refused, install, roads):
    for package in ("other_first", "other_second"):
        install(package, f"far-away = {package}:hops", HOPS + ALGORITHM)
    said = refused(*words("run", "far-away", roads))
    assert "'far-away' is offered by several packages, other_first, other_second" in said


def test_names_of_ours_are_ours(loopwright, install, roads):
    """The package is not even looked at; its help says that nobody can reach it."""
    install("other_pack", "dijkstra = other_pack:hops", "1 / 0")
    report = loopwright(*words("run", "dijkstra", roads), "--json").json
    assert report["result"].keys() == {"dists", "prev"}
    page = " ".join(loopwright("show", "--help").out.split())
    assert "Out of reach, for the names are ours: dijkstra of other_pack." in page


def test_entry_points_are_not_read_for_names_of_ours(loopwright, roads, saved, file, monkeypatch):
    def never(**_):
        raise AssertionError

    monkeypatch.setattr("loopwright.cli.plugins.entry_points", never)
    for known in ("dijkstra", saved(), f"{file()}:hops"):
        assert loopwright(*words("run", known, roads)).code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_help_lists_them_without_importing(loopwright, install, command):
    install("other_pack", "far-away = other_pack:hops", "raise SystemExit(3)")
    page = loopwright(command, "--help")
    assert page.code == 0
    assert "Algorithms of other packages: far-away (other_pack)." in " ".join(page.out.split())
    assert "other_pack" not in sys.modules


def test_without_any_help_says_nothing(loopwright):
    assert "other packages" not in loopwright("run", "--help").out


def test_an_unknown_name_lists_them(refused, install, roads):
    install("other_pack", "far-away = other_pack:hops", HOPS + ALGORITHM)
    said = refused(*words("run", "far-awy", roads))
    assert "no algorithm 'far-awy'; did you mean 'far-away'?" in said
