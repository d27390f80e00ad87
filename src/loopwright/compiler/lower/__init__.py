"""One lowering for each op: its weights, why they are right, and when they are exact."""

from loopwright.compiler.lower import attending, choosing, rowwise
from loopwright.compiler.lower.registry import LOWERINGS

__all__ = ["LOWERINGS", "attending", "choosing", "rowwise"]
