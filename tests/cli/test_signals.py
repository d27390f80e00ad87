"""How a command ends whose output cannot be printed, or that Ctrl-C stops: one line, one code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from loopwright.runtime.workers import hearing_later

INTERRUPTED, CLOSED_PIPE = 130, 141
COMMAND = [sys.executable, "-m", "loopwright"]
"""A process of its own: signals and streams are its."""


def ended(arguments, redirect="", **environment):
    """What a shell sees of a command."""
    line = f'exec "$@" {redirect}'
    return subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND, *map(str, arguments)],
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_whoever_reads_may_stop():
    """As `head` does: nothing is wrong, so nothing is said."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, "show", "bfs"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (CLOSED_PIPE, b"")


def test_closed_output():
    done = ended(["--version"], ">&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("loopwright: standard output is closed")
    assert done.stderr.count("\n") == 1


def test_closed_errors():
    done = ended(["run", "bfs", "no-such-file"], "2>&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_full_disk():
    done = ended(["show", "bfs", "--json"], ">/dev/full")
    assert done.returncode == 2
    assert done.stderr == "loopwright: standard output: No space left on device.\n"


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_output_in_ascii(tmp_path, option):
    graph = tmp_path / "graph"
    graph.write_text("Köln Zürich\n", encoding="utf-8")
    arguments = ["run", "bfs", graph, "--source", "Köln", *option]
    done = ended(arguments, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    if option:
        assert json.loads(done.stdout)["result"]["prev"]["Zürich"] == "Köln"
    else:
        assert r"Z\xfcrich" in done.stdout


# ── Ctrl-C ──────────────────────────────────────────────────────────────────────────────────────

WAITS = """
import sys
wanted = sys.argv.pop(1)
class Waits:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            print("now", flush=True)
            import time
            time.sleep(60)
sys.meta_path.insert(0, Waits())
sys.modules.pop("typing", None)
from loopwright.__main__ import main
main()
"""
"""A process, started as the script `loopwright` starts, that says when it is about to import a
module, and waits there."""


def interrupt(command, *, after=0.0):
    """Press Ctrl-C when the process says that it is time, and so many seconds have passed."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout.readline() == "now\n"
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == INTERRUPTED
    assert errors == "loopwright: interrupted\n"


OURS = ["loopwright.cli", "loopwright.errors", "loopwright.cli.commands", "loopwright.cli.show"]


@pytest.mark.parametrize("module", ["typing", *OURS, "numpy"])
def test_ctrl_c_during_imports(module):
    interrupt([sys.executable, "-c", WAITS, module, "show", "bfs"])


STUCK = """
import sys
from loopwright.cli import main
import {module} as module
work = module.{name}
def noisy(*given):
    print("now", flush=True)
    while True:
        work(*given)
module.{name} = noisy
main()
"""
"""A process that says when it begins to compile, or to run, and never ends that."""


NATIVE = "loopwright.runtime.machines.native"


@pytest.mark.parametrize(
    ("module", "name"), [(f"{NATIVE}.build", "compile_module"), (NATIVE, "run_in_slices")]
)
def test_ctrl_c_in_native_code(tmp_path, module, name):
    graph = tmp_path / "graph"
    graph.write_text("a b\n")
    code = STUCK.format(module=module, name=name)
    interrupt([sys.executable, "-c", code, "run", "bfs", graph, "--source", "a"])


STARTS = 'print("now", flush=True); from loopwright.cli import main; main()'


@pytest.mark.parametrize("after", [0.5, 1.5])
def test_ctrl_c_at_any_moment(after):
    """The command takes minutes, and does everything on the way: imports, compiles, runs."""
    interrupt([sys.executable, "-c", STARTS, "limits", "dijkstra"], after=after)


AT_IMPORT = """
import os, signal
from loopwright.__main__ import main
os.kill(os.getpid(), signal.SIGINT)
main()
"""


def test_ctrl_c_before_main():
    done = subprocess.run(
        [sys.executable, "-c", AT_IMPORT], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (INTERRUPTED, "loopwright: interrupted\n")


AT_EVERY_LINE = """
import os, signal, sys
from loopwright.__main__ import main
import loopwright.cli.commands  # once, for all children
sys.argv[1:] = ["--version"]
code = main.__code__.co_filename

def child(wanted):
    left = wanted
    def trace(frame, event, argument):
        nonlocal left
        if frame.f_code.co_filename != code:
            return None
        left -= event == "line"
        if left == 0:
            left = -1
            os.kill(os.getpid(), signal.SIGINT)
        return trace
    sys.settrace(trace)
    try:
        main()
    except SystemExit as end:
        sys.settrace(None)
        os._exit(end.code if left < 0 else 99)
    except BaseException as problem:
        sys.settrace(None)
        print(wanted, repr(problem), file=sys.stderr, flush=True)
        os._exit(98)

wanted = ended = 0
while ended != 99:
    wanted += 1
    pid = os.fork()
    if not pid:
        child(wanted)
    ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(ended, file=sys.stderr, flush=True)
"""
"""A process that runs a command again and again, and presses Ctrl-C at another line of `main` each
time; 99 says that there was no such line."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_ctrl_c_at_every_line():
    done = subprocess.run(
        [sys.executable, "-c", AT_EVERY_LINE], capture_output=True, encoding="utf-8", check=False
    )
    *each, none = done.stderr.replace("loopwright: interrupted\n", "").split()
    assert set(each) == {str(INTERRUPTED)}, done.stderr
    assert none == "99"
    assert len(each) > 10
    assert done.stderr.count("loopwright: interrupted\n") == len(each)


CLUSTERED = """
import sys, time
from loopwright.__main__ import main
from loopwright.cli import commands
from loopwright.runtime.workers import working

def work(piece):
    time.sleep(0.1)

def call(arguments):
    with working("local", 2) as pool:
        for _ in pool.in_order(work, range(1000)):
            print("now", flush=True)

commands.call = call
if __name__ == "__main__":
    main()
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes")
def test_ctrl_c_with_workers(tmp_path):
    """A terminal tells all processes of it; one speaks, and none is left."""
    pytest.importorskip("distributed")
    script = tmp_path / "clustered.py"
    script.write_text(CLUSTERED)
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        assert process.stdout.readline() == "now\n"
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (INTERRUPTED, "loopwright: interrupted\n")
    deadline = time.monotonic() + 10
    while left := of_group(process.pid):
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def of_group(group):
    """The processes of a group that have not ended."""
    import psutil

    left = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                left.append(process.cmdline())
        except (psutil.Error, ProcessLookupError):
            continue
    return left


def test_ctrl_c_that_is_heard_later():
    """As where Python clears up, and an exception would be lost."""
    with hearing_later():
        signal.raise_signal(signal.SIGINT)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        time.sleep(10)
    assert time.monotonic() - begin < 5


# ── fork ────────────────────────────────────────────────────────────────────────────────────────

FORKS = """
import os, threading, time, warnings
import loopwright as lw
from loopwright.runtime.machines.native import build

warnings.simplefilter("ignore")  # later Pythons warn of every fork beside threads
compiling, slowly = threading.Event(), build.compile_module

def compile_module(module):
    compiling.set()
    time.sleep(0.3)
    return slowly(module)

def run():
    lw.compile(lw.algorithms.bfs("compact")).run([("a", "b")], source="a", machine="native")

build.compile_module = compile_module
thread = threading.Thread(target=run)
thread.start()
compiling.wait()
child = os.fork()
if not child:
    run()
    os._exit(7)
thread.join()
deadline = time.monotonic() + 30
while True:
    done, status = os.waitpid(child, os.WNOHANG)
    if done:
        raise SystemExit(os.waitstatus_to_exitcode(status))
    if time.monotonic() > deadline:
        os.kill(child, 9)
        raise SystemExit("the child waits for ever")
    time.sleep(0.05)
"""
"""A process that forks while a thread of it compiles; the child then compiles as well."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork_while_a_thread_compiles():
    done = subprocess.run(
        [sys.executable, "-c", FORKS], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (7, "")


FORKS_IN_IMPORTS = """
import os, sys, threading, time, warnings
import loopwright as lw

warnings.simplefilter("ignore")
model, importing = lw.compile(lw.algorithms.bfs("compact")), threading.Event()

class Slowly:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            importing.set()
            time.sleep(0.3)

def run():
    model.run([("a", "b")], source="a", machine="native")

sys.meta_path.insert(0, Slowly())
thread = threading.Thread(target=run)
thread.start()
importing.wait()
children = []
for _ in range(10):
    child = os.fork()
    if not child:
        run()
        os._exit(7)
    children.append(child)
    time.sleep(0.02)
thread.join()
run()
deadline = time.monotonic() + 30
for child in children:
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > deadline:
            for each in children:
                os.kill(each, 9)
            raise SystemExit("a child waits for ever")
        time.sleep(0.02)
    if os.waitstatus_to_exitcode(ended[1]) != 7:
        raise SystemExit(ended)
"""
"""A process whose thread imports a machine, while it forks children that run on it."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("module", [NATIVE, f"{NATIVE}.kept", f"{NATIVE}.workspace"])
def test_fork_while_a_thread_imports(module):
    done = subprocess.run(
        [sys.executable, "-c", FORKS_IN_IMPORTS, module],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
