"""Declared limits → the constants of a construction: δ̂, Ω, Ω̂, ε, tie tolerance, temperature.

Nothing else in the package types a magnitude. All constants are rationals, so that the same
construction can be rounded to floats or run in exact arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import atan, pi
from numbers import Integral
from typing import Any, Literal, Protocol

from loopwright.errors import CapacityError, brief, require_known, require_whole

MANTISSAS = {"float64": 53, "float32": 24, "float16": 11}
"""Bits of a float: whole numbers below 2⁵³ are exact in float64."""
MANTISSA = MANTISSAS["float64"]

SHARPNESS = 128
"""gap/T of softmax: the next best score gets e⁻¹²⁸ < 2⁻¹⁸⁴ of the attention."""

SHARPNESS_OF_NUMBERS = 256
"""The same in models that tell rows apart by their numbers, whose gaps are wide."""

GUARD_BITS = 1
"""Ω/ε is at most 2⁵³⁻¹: sums up to 2Ω on the grid of ε are still exact."""


LARGEST_COUNT = 2**53
"""Nodes, widths, steps and bounds are whole numbers that a float holds."""

LARGEST_NUMBER = Fraction(2**1000)
"""Limits lie between this and its inverse: a few times as much, and products, are still floats."""

Number = Fraction | float
"""What a limit may be given as. A float stands for exactly what it is: 2**-20, or 0.5."""


SAFETY = 8
"""How many times what rounding does to a score must fit between neighbouring positions."""


def drift(nodes: int, dtype: str) -> Fraction:
    """The most that rounding changes a score of two positions, each rotated `nodes` times.

    A rotation rounds at most 4 times, and a score is a product of two positions.
    """
    return Fraction(8 * (nodes + 1), 2 ** MANTISSAS[dtype])


def coldest(dtype: str) -> Fraction:
    """The least T of softmax for which rounding does not tell positions apart that tie.

    Each of two tied scores may be off by what rounding does to a position that was moved since it
    was last rounded, by up to three rotations: 2 · drift(3) = 4 · drift(1), together. That is T/2
    here, so the halves of a tie are at least 1/(1 + √e) > 3/8, which is still rounded to ½.
    """
    return SAFETY * drift(1, dtype)


def power_of_two_at_least(value: Fraction | int) -> Fraction:
    """The smallest 2ᵏ that is at least `value`, k of either sign.

    >>> power_of_two_at_least(5), power_of_two_at_least(Fraction(1, 5))
    (Fraction(8, 1), Fraction(1, 4))
    """
    below = power_of_two_at_most(value)
    return below if below == value else 2 * below


def power_of_two_at_most(value: Fraction | int) -> Fraction:
    """The largest 2ᵏ that is at most `value`, k of either sign.

    >>> power_of_two_at_most(5), power_of_two_at_most(Fraction(1, 5))
    (Fraction(4, 1), Fraction(1, 8))
    """
    k = value.numerator.bit_length() - value.denominator.bit_length()  # 2ᵏ⁻¹ < value < 2ᵏ⁺¹
    power = Fraction(2**k) if k >= 0 else Fraction(1, 2**-k)
    return power if power <= value else power / 2


def exact_number(name: str, given: Any) -> Fraction:
    """A limit as the fraction that it is.

    Raises:
        CapacityError: if it is no number, or too large or small for floats, or not positive.
    """
    number = type(given) is not bool and isinstance(given, Fraction | float | Integral)
    exact = int(given) if number and isinstance(given, Integral) else given
    if not number or not 1 / LARGEST_NUMBER <= exact <= LARGEST_NUMBER:
        raise CapacityError(
            f"Limits({name}={brief(given)}): must be a positive number, from 2**-1000 to 2**1000."
        )
    return Fraction(exact)


@dataclass(frozen=True, kw_only=True)
class Constants:
    """The numbers that a construction is made of. [P §6.1, §6.2]"""

    nodes: int
    """How many rows can be told apart; position 0 is reserved for "nowhere"."""
    largest: Fraction
    """The largest path length or priority that a value may reach."""
    resolution: Fraction
    """ε: values are multiples of it, so two of them differ by 0 or by at least ε."""
    half_tangent: Fraction
    """t = tan(δ̂/2): makes the rotation by δ̂ rational, hence exactly orthogonal."""
    unreached: Fraction
    """Ω̂: the distance or priority of what has not been reached."""
    mask: Fraction
    """What a visited node shows to the minimum: above `unreached`, at most `omega`."""
    omega: Fraction
    """Ω: no selected value exceeds it. [P §6.2]"""
    majority: Fraction
    """The weight of a missing flag in `all-one`: at least 2 × nodes, so that one decides."""
    tie_tolerance: Fraction
    """Scores of positions closer than this are equal: half of 1 − cos δ̂, the least gap."""
    temperature: Fraction
    """T of softmax attention."""

    @property
    def cosine(self) -> Fraction:
        t = self.half_tangent
        return (1 - t * t) / (1 + t * t)

    @property
    def sine(self) -> Fraction:
        t = self.half_tangent
        return 2 * t / (1 + t * t)

    @property
    def angle(self) -> float:
        """δ̂ in radians."""
        return 2 * atan(self.half_tangent)


class Sized(Protocol):
    """What limits need to know of a graph to hold it."""

    @property
    def n(self) -> int: ...

    def longest_path_bound(self) -> float: ...


class ReadsEdges(Protocol):
    """What limits need to know of a program, or of a model: which numbers its edges are."""

    @property
    def edges(self) -> Literal["weights", "ones"]: ...


def may_retrace(program: object) -> bool:
    """Whether an op may ask for the heaviest of the edges that explain a path. Of what is no
    program, such as a model, nothing is known."""
    steps: Any = getattr(program, "steps", None)
    if steps is None:
        return True
    return any(getattr(op, "heaviest", False) for step in steps for op in step.ops)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What graphs a model must be right on; every constant follows from it.

    Args:
        nodes: the most nodes a graph may have.
        largest: the most that a path may weigh (priorities need 4 × nodes, and get it).
        resolution: edge weights are rounded to multiples of this power of two.
        dtype: the floats that a machine computes with.
        omega: Ω, instead of the one that follows (see `paper`).
        half_tangent: tan(δ̂/2), instead of the one that follows.
        temperature: T of softmax, instead of the one that follows.

    Raises:
        CapacityError: at once if one of them is no such number, or T is too small for rounding;
            from `constants`, if floats cannot hold them together.

    >>> Limits(nodes=100, largest=50, resolution=Fraction(1, 1024)).constants().omega
    Fraction(4096, 1)
    """

    nodes: int = 2**16
    largest: Number = 2**20
    resolution: Number = Fraction(1, 2**28)
    dtype: str = "float64"
    omega: Number | None = None
    half_tangent: Number | None = None
    temperature: Number | None = None

    def __post_init__(self) -> None:
        nodes = require_whole("Limits: nodes", self.nodes, most=LARGEST_COUNT, error=CapacityError)
        object.__setattr__(self, "nodes", nodes)
        for name in ("largest", "resolution"):
            object.__setattr__(self, name, exact_number(name, getattr(self, name)))
        for name in ("omega", "half_tangent", "temperature"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, exact_number(name, getattr(self, name)))
        step = Fraction(self.resolution)
        if step > 1 or power_of_two_at_least(step) != step:
            raise CapacityError(
                f"Limits(resolution={brief(step)}): must be a power of two up to 1, as 2**-20."
            )
        require_known("dtype", self.dtype, MANTISSAS, error=CapacityError)
        self._require_warmth()

    def _require_warmth(self) -> None:
        """Raise if the T that is declared is so small that it blows up what rounding does to ties.

        In float64 the one that follows from positions that can be told apart is larger.
        """
        if self.temperature is not None and self.temperature < coldest(self.dtype):
            raise CapacityError(
                f"Limits(temperature={float(self.temperature):.3g}): softmax would tell apart "
                f"positions that tie but for rounding in {self.dtype}: declare at least "
                f"{float(coldest(self.dtype)):.3g}, or leave it out."
            )

    @classmethod
    def paper(cls) -> Limits:
        """The parameters of the paper's validation: δ = 1e-2, Ω = 1e5, T = 1e-7. [P App. B.3]

        tan(δ/2) = 1/200 gives δ̂ = 0.0099999: 627 nodes. Masks are an order of magnitude below Ω,
        as there; that leaves Ω/40 for path lengths.
        """
        return cls(
            nodes=627,
            largest=Fraction(10**5, 40),
            resolution=Fraction(1, 2**20),
            omega=Fraction(10**5),
            half_tangent=Fraction(1, 200),
            temperature=Fraction(1, 10**7),
        )

    @classmethod
    def fit(cls, graph: Sized, program: ReadsEdges | None = None) -> Limits:
        """The finest limits that hold this graph: few positions, small Ω, and an ε that leaves
        room for Ω (8 × largest, and guard bits), for a sum of n values that tie, and for scores by
        which edges are retraced. Paths of more than 2⁴⁹ do not fit as they are: flags, which are 1,
        must be on the grid as well.

        A program that reads 1 for every edge, such as breadth-first search, does not ask what the
        weights are, and few retrace edges. Unless the program is given, it might.

        Raises:
            GraphError: if the weights are so large that floats have no room above a path.

        >>> from loopwright import Graph
        >>> Limits.fit(Graph.of([("a", "b", 0.3)])).resolution
        Fraction(1, 70368744177664)
        """
        if not hasattr(graph, "longest_path_bound"):
            raise CapacityError(
                f"Limits.fit: a value of type {type(graph).__name__} is no lw.Graph: give "
                "lw.Graph.of(…)."
            )
        if program is not None and getattr(program, "edges", None) not in ("weights", "ones"):
            raise CapacityError(
                f"Limits.fit: a value of type {type(program).__name__} is no program: give what is "
                "compiled, as lw.algorithms.bfs()."
            )
        weighted = program is None or program.edges == "weights"
        path = Fraction(graph.longest_path_bound() if weighted else graph.n)
        longest = max(path, Fraction(4 * graph.n))
        largest = min(power_of_two_at_least(longest), Fraction(2 ** (MANTISSA - GUARD_BITS - 3)))
        ties = power_of_two_at_least(graph.n)
        retraced = 4 * power_of_two_at_least(graph.n + 1) if may_retrace(program) else 1
        room = max(8 * 2**GUARD_BITS, ties, retraced)
        resolution = largest / 2**MANTISSA * room
        return cls(nodes=graph.n, largest=largest, resolution=min(resolution, Fraction(1)))

    def require_positions(self) -> None:
        """Raise unless the floats can tell so many positions apart.

        Raises:
            CapacityError: if they cannot.
        """
        gap, rounding = 1 - self.constants().cosine, drift(self.nodes, self.dtype)
        if gap < SAFETY * rounding:
            raise CapacityError(
                f"{self.dtype} cannot tell {self.nodes} positions apart: neighbouring scores "
                f"differ by {float(gap):.3g}, rounding by up to {float(rounding):.3g}."
            )

    def constants(self) -> Constants:
        """Derive the constants, or say which limits the floats cannot hold together.

        - 3 < π, so t = 1/⌈(nodes + 2)/3⌉ keeps (nodes + 1)·δ̂ below 2π.
        - Ω̂, mask, Ω = 2, 4, 8 × largest: a value < Ω̂ < Ω̂ + a weight < mask < Ω.
        - The tie tolerance is half of the gap between neighbours, whose scores `drift`.
        """
        step, declared = Fraction(self.resolution), Fraction(self.largest)
        t = Fraction(self.half_tangent or Fraction(1, -(-(self.nodes + 2) // 3)))
        largest = max(power_of_two_at_least(declared), power_of_two_at_least(4 * self.nodes))
        mask, omega = 4 * largest, 8 * largest
        if self.omega is not None:
            omega = Fraction(self.omega)
            largest, mask = declared, omega / 10
            if mask < 4 * largest or mask / 2 % step:
                raise CapacityError(
                    f"Limits(omega={self.omega}): must be at least 40 × largest, and a multiple of "
                    "20 × resolution."
                )
        if (self.nodes + 1) * 2 * atan(t) >= 2 * pi:
            raise CapacityError(
                f"Limits(half_tangent={t}): {self.nodes} positions go round more than once."
            )
        bits = MANTISSAS[self.dtype]
        if omega / step > 2 ** (bits - GUARD_BITS):
            raise CapacityError(
                f"{self.dtype} cannot hold values up to {float(omega):g} at a resolution of "
                f"{float(step):g}: declare a larger resolution or a smaller largest."
            )
        gap = 2 * t * t / (1 + t * t)  # 1 − cos δ̂
        return Constants(
            nodes=self.nodes,
            largest=largest,
            resolution=step,
            half_tangent=t,
            unreached=mask / 2,
            mask=mask,
            omega=omega,
            majority=power_of_two_at_least(2 * self.nodes),
            tie_tolerance=gap / 2,
            temperature=Fraction(self.temperature or gap / SHARPNESS),
        )
