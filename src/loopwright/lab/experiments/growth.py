"""Points (h, κ) → κ ≈ factor · h^power: how fast a condition number grows with Ω or with 1/ε."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from statistics import linear_regression

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Growth:
    """A power law. Its `power` is fitted; `factor` belongs to the nearest whole power."""

    power: float
    factor: float

    @classmethod
    def of(cls, hardness: Sequence[float], condition: Sequence[float]) -> Growth:
        """A straight line in log–log scale through the harder half of the points: at the easy end
        a curve may still bend.

        >>> Growth.of([1, 10, 100, 1000], [9, 500, 50_000, 5_000_000])
        Growth(power=2.0, factor=5.0)
        """
        half = len(hardness) // 2
        xs, ys = ([log(value) for value in values[half:]] for values in (hardness, condition))
        power = float(linear_regression(xs, ys).slope)
        return cls(round(power, 4), condition[-1] / hardness[-1] ** round(power))

    @property
    def grows(self) -> bool:
        return round(self.power) > 0

    def text(self, of: str) -> str:
        """The law with the variable's name; the number itself if it does not grow.

        >>> Growth(2.0001, 401.4).text("Ω"), Growth(2.0, 89.3).text("ε")
        ('401 Ω²', '89 ε⁻²')
        >>> Growth(0.0, 787.0).text("Ω")
        '787'
        """
        factor = f"{self.factor:.0f}" if self.factor >= 100 else f"{self.factor:.2g}"
        power = -round(self.power) if of == "ε" else round(self.power)
        return f"{factor} {of}{str(power).translate(SUPERSCRIPTS)}" if power else factor
