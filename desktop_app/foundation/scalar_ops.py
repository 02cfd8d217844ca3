"""The arithmetic that the equations need, for plain numbers, under NumPy's names.

An equation takes `ops` as an argument: this module for one plan, the `numpy` module for a column of thousands.
Nothing else differs, so there is one copy of every equation.
"""

import math
from typing import Any, Protocol, TypeAlias

Number: TypeAlias = Any
"""A float, or a NumPy column of floats when `ops` is numpy."""


class Ops(Protocol):
    """What the equations ask of `ops`; this module and the `numpy` module both offer it."""

    def minimum(self, a: Number, b: Number, /) -> Number: ...
    def maximum(self, a: Number, b: Number, /) -> Number: ...
    def where(self, condition: Any, a: Number, b: Number, /) -> Number: ...
    def exp(self, a: Number, /) -> Number: ...
    def log(self, a: Number, /) -> Number: ...
    def sqrt(self, a: Number, /) -> Number: ...
    def floor(self, a: Number, /) -> Number: ...
    def ceil(self, a: Number, /) -> Number: ...
    def absolute(self, a: Number, /) -> Number: ...
    def copysign(self, a: Number, b: Number, /) -> Number: ...


def minimum(a: float, b: float, /) -> float:
    """The smaller of two numbers."""
    return a if a < b else b


def maximum(a: float, b: float, /) -> float:
    """The larger of two numbers."""
    return a if a > b else b


def where(condition: Any, a: float, b: float, /) -> float:
    """`a` where the condition holds, else `b`. Both are already evaluated, as in NumPy."""
    return a if condition else b


exp = math.exp
log = math.log
sqrt = math.sqrt
floor = math.floor
ceil = math.ceil
copysign = math.copysign
absolute = math.fabs
