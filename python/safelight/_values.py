"""Values as the command line has them."""

from __future__ import annotations

import operator
import os
from typing import Any, Iterable, Sequence, Union

from ._errors import invalid

Path = Union[str, "os.PathLike[str]"]
Value = Union[float, int, str, bool, Sequence["tuple[float, float]"]]


def as_text(name: str, value: Any) -> str:
    """A value as the command line has it."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if getattr(value, "ndim", 0) == 0:
        # Numbers of numpy, too.
        try:
            return str(operator.index(value))
        except TypeError:
            pass
        if hasattr(value, "__float__"):
            return repr(float(value))
    try:
        return " ".join(f"{float(x)!r},{float(y)!r}" for x, y in value)
    except (TypeError, ValueError):
        raise invalid(f"{name} is {value!r}", "give a number, a text, or a list of points (x, y)") from None


def as_list(values: "str | Iterable[str]") -> str:
    return values if isinstance(values, str) else ",".join(values)
