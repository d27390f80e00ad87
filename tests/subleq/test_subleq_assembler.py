"""The assembler: what it makes of a text; `test_subleq_messages` has what it refuses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from subleq_programs import EXAMPLES, IDIOMS, codes, plain

from loopwright.subleq import HALT, Code, Entry, Instruction, assemble, listing
from loopwright.subleq.assemble import assemble_file
from loopwright.subleq.code import Symbol
from loopwright.subleq.errors import AssemblyError, SubleqError

# ── what it makes ───────────────────────────────────────────────────────────────────────────────


def test_bare_instructions():
    code = assemble(
        """
        .data x 1, 2            ; two cells
        .data y -1/2            # and one
        first:  subleq x[1], y, first
                subleq A[0, 2], M[0], halt
                subleq y, y, 1
                subleq =7, y
        """
    )
    assert code.instructions == (
        Instruction(1, 2, 0),
        Instruction(Entry(0, 2), 0, HALT),
        Instruction(2, 2, 1),
        Instruction(3, 2, HALT),
    )
    assert code.memory == (1, 2, Fraction(-1, 2), 7)
    assert code.symbols == (Symbol("x", 0, 2), Symbol("y", 2), Symbol("=7", 3))
    assert code.labels == {"first": 0}
    assert code.origins[1] == "<text>:5: subleq A[0, 2], M[0], halt"


def test_constants_and_zero_have_one_cell_each():
    code = assemble(".data x 0\nadd 5, x\nadd 5, x\nadd 5.0, x\nadd 10/2, x\nadd -5, x")
    assert [symbol.name for symbol in code.symbols] == ["x", "=5", "Z", "=-5"]


def test_numbers_of_all_kinds():
    code = assemble(".const half 0.5\n.data x 1 -2 +3 4.25 1/3 half -half\nzero M[0]")
    assert code.memory == (
        1,
        -2,
        3,
        Fraction(17, 4),
        Fraction(1, 3),
        Fraction(1, 2),
        -Fraction(1, 2),
    )


def test_settings_replace_data_and_constants():
    text = ".const i 1\n.data x 0\n.data list 1 2 3\n.space room i+1\nsub list[i], x"
    code = assemble(text, settings={"i": [2], "x": [9], "list": [4, 5, 6], "room": [1, 2, 3]})
    assert code.memory == (9, 4, 5, 6, 1, 2, 3)
    assert code.instructions == (Instruction(3, 0, HALT),)


def test_loops_are_written_out():
    code = assemble(
        """
        .data list 0 0 0
        .data x 0
        .for i, 0, nodes
            .for j, i, nodes
                jle x, next
                sub A[i, j], list[i+j-1+1]
            next:
            .end
        .end
        """,
        nodes=2,
    )
    entries = [(at.a, at.b) for at in code.instructions if isinstance(at.a, Entry)]
    assert entries == [(Entry(0, 0), 0), (Entry(0, 1), 1), (Entry(1, 1), 2)]
    assert [at.c for at in code.instructions[::2]] == [2, 4, HALT]


def test_macros_take_arrays_labels_and_numbers():
    code = assemble(
        """
        .data pair 3 4
        .macro swap_if list, i, k, out
            jgt list[i], here
            sub k, list[i+1]
        here:
            jump out
        .end
        done: swap_if pair, 0, 5, done
        """
    )
    assert code.instructions[2] == Instruction(3, 1, 3)
    assert code.instructions[3].c == 0
    assert code.labels == {"done": 0}


def test_a_macro_sees_its_own_labels_only():
    text = ".data x 1\n.macro m\nhere: sub 1, x\n.end\nm\nm\njump here"
    with pytest.raises(AssemblyError, match=r"^<text>:7:6: there is no 'here' to jump to"):
        assemble(text)


IDIOM_MEANING = {
    "sub": lambda x, y: (x, y - x),
    "add": lambda x, y: (x, y + x),
    "move": lambda x, y: (x, x),
    "zero": lambda x, y: (0, y),
}
JUMPS = {
    "jle": lambda x: x <= 0,
    "jlt": lambda x: x < 0,
    "jge": lambda x: x >= 0,
    "jgt": lambda x: x > 0,
    "jz": lambda x: x == 0,
    "jnz": lambda x: x != 0,
}
NUMBERS = st.fractions(-3, 3, max_denominator=2)


def after(text, x, y=0):
    """Memory by name, with the zero cell as it should be."""
    code = assemble(f".data x {x}\n.data y {y}\n.data Z 0\n{text}")
    machine = plain(code)
    assert machine.run(50)
    assert machine.memory[2] == 0, "Z must be 0 after every idiom"
    return tuple(machine.memory[:2])


@pytest.mark.parametrize("idiom", IDIOM_MEANING)
@given(x=NUMBERS, y=NUMBERS)
def test_idioms(idiom, x, y):
    operands = "x" if idiom == "zero" else "x, y"
    assert after(f"{idiom} {operands}", x, y) == IDIOM_MEANING[idiom](x, y)


@pytest.mark.parametrize("idiom", ["sub", "add", "move"])
@given(x=NUMBERS)
def test_idioms_on_one_cell(idiom, x):
    assert after(f"{idiom} x, x", x)[0] == IDIOM_MEANING[idiom](x, x)[1]


@pytest.mark.parametrize("idiom", JUMPS)
@given(x=NUMBERS)
def test_jumps(idiom, x):
    text = f"{idiom} x, yes\nsub 1, y\nhalt\nyes: sub 2, y\njump out\nsub 4, y\nout:"
    assert after(text, x) == (x, -2 if JUMPS[idiom](x) else -1)


def test_every_idiom_has_a_meaning_here():
    assert set(IDIOMS) == {*IDIOM_MEANING, *JUMPS, "jump", "halt"}


# ── round trip ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.sq")), ids=lambda path: path.stem)
def test_a_listing_of_an_example_is_the_example(path):
    code = assemble_file(path, nodes=5)
    assert assemble(listing(code), nodes=5) == code
    assert assemble(listing(code)) == code


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "windows.sq"
    path.write_bytes(b"\xef\xbb\xbf.data x 0\r\n; \xe2\x89\xa4\r\nsub x, x ; done\r\n")
    assert assemble_file(path).origins == (f"{path}:3: sub x, x",)


@given(code=codes(nodes=3))
def test_a_listing_of_anything_is_the_same_code(code):
    assert assemble(listing(code)) == code


@given(code=codes(nodes=0), data=st.data())
def test_a_listing_keeps_names(code, data):
    """Symbols anywhere, constants that are written, labels anywhere, two at one place."""
    size, symbols, at = len(code.memory), [], 0
    while at < size:
        length = data.draw(st.integers(1, size - at))
        name = data.draw(st.sampled_from([None, f"name{at}", "constant"]))
        if name == "constant":
            length, name = 1, f"={code.memory[at]}"
        if name and name not in [symbol.name for symbol in symbols]:
            symbols.append(Symbol(name, at, length))
        at += length
    places = st.integers(0, len(code.instructions))
    labels = data.draw(st.dictionaries(st.sampled_from(["one", "two", "three"]), places))
    named = Code(code.instructions, code.memory, tuple(symbols), labels)
    assert assemble(listing(named)) == named


# ── malformed code ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "parts",
    [
        ((), (0,)),
        ((Instruction(0, 1, 0),), (0,)),
        ((Instruction(-1, 0, 0),), (0,)),
        ((Instruction(0, 0, 1),), (0,)),
        ((Instruction(0, 0, -2),), (0,)),
        ((Instruction(0, 0, 0),), (0,), (Symbol("x", 0, 2),)),
        ((Instruction(0, 0, 0),), (0,), (Symbol("x", 0), Symbol("y", 0))),
        ((Instruction(0, 0, 0),), (0,), (), {"l": 2}),
    ],
)
def test_malformed_code_is_refused(parts):
    with pytest.raises(SubleqError):
        Code(*parts)
