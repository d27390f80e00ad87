"""A number that the weights cannot hold stops the run, and is named."""

from __future__ import annotations

from fractions import Fraction

import pytest

from loopwright import Limits
from loopwright.subleq import assemble, run
from loopwright.subleq.errors import OutOfRange
from loopwright.subleq.words import GRAINS

SMALL = Limits(nodes=16, largest=64, resolution=Fraction(1))


def test_doubling_stops_at_the_largest():
    code = assemble(".data pair 0 1\nagain: add pair[1], pair[1]\njump again", file="up.sq")
    with pytest.raises(OutOfRange) as problem:
        run(code, verify=True)
    # x doubles by every fourth instruction, the second of `add`; Z = −2⁴⁹ was still allowed.
    assert str(problem.value) == (
        "step 198, instruction 1 (up.sq:2: again: add pair[1], pair[1]): pair[1] would become "
        f"{2**50}, outside −{2**49} … {2**49}."
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_the_limit_itself_is_allowed(sign):
    text = f".data x {sign * 63}\nsub {-sign}, x\n"
    assert run(assemble(text), limits=SMALL, verify=True)["x"] == sign * 64
    with pytest.raises(OutOfRange, match=rf"step 2, instruction 1 .*: x would become {sign * 65},"):
        run(assemble(text + f"sub {-sign}, x"), limits=SMALL, verify=True)


def test_starting_outside():
    with pytest.raises(OutOfRange, match=r"^x = 65 is outside −64 … 64\.$"):
        run(assemble(".data x 65\nzero x"), limits=SMALL)
    with pytest.raises(OutOfRange, match=r"^A\[0, 1\] = 65 is outside"):
        run(assemble(".data x 6\nzero x"), [(0, 1, 65)], limits=SMALL)
    with pytest.raises(OutOfRange, match=rf"^x = {2**49 + 1} is outside"):
        run(assemble(f".data x {2**49 + 1}\nzero x"))


def test_the_grain_follows_from_the_numbers():
    outcome = run(assemble(f".data x {GRAINS // 8}\nsub 1/8, x"), verify=True)
    assert outcome["x"] == Fraction(GRAINS - 1, 8)
    assert outcome.model.constants.resolution == Fraction(1, 8)


def test_numbers_that_no_float_grid_has():
    with pytest.raises(OutOfRange, match=r"^=1/3 = 1/3 is no multiple of 1/4, which floats need"):
        run(assemble(".data x 1\nsub 1/3, x"))
    with pytest.raises(OutOfRange, match=r"^A\[0, 1\] = 1/10 is no multiple"):
        run(assemble(".data x 1\nzero x"), [(0, 1, Fraction(1, 10))])
    with pytest.raises(OutOfRange, match=r"is too fine"):
        run(assemble(f".data x 1/{2**60}\nzero x"))


def test_a_float_of_53_bits_is_too_fine():
    with pytest.raises(OutOfRange, match=r"^A\[0, 1\] = .* is too fine"):
        run(assemble(".data x 1\nzero x"), [(0, 1, 0.1)])
