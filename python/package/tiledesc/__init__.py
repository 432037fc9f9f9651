"""Bank conflicts of GPU kernels and tile layouts, without a GPU.

>>> import tiledesc as td
>>> a = td.Tile("f16", {"m": 128, "k": 64}, strides=[64, 1])
>>> print(a.check("gfx942", read=[("ds_read_b128", "mfma-rows 16")]).worst.sentence)
4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0

``audit`` judges a compiled kernel, ``why`` says what leads to an address of it, ``verdict`` the addresses of one instruction, a ``Tile`` a layout and what is done to
it, ``find`` looks for the layout that costs least, and ``run`` is the command line. What is refused raises ``TileError``
with one sentence.
"""

from ._tiledesc import (
    Check,
    Choice,
    Fetch,
    Limit,
    Line,
    Reasons,
    Report,
    Row,
    Stated,
    Step,
    Tile,
    TileError,
    Trip,
    Verdict,
    __VERSION__ as __version__,
    assert_conflict_free,
    audit,
    find,
    help_json,
    run,
    verdict,
    why,
)

__all__ = [
    "Check",
    "Choice",
    "Fetch",
    "Limit",
    "Line",
    "Reasons",
    "Report",
    "Row",
    "Stated",
    "Step",
    "Tile",
    "TileError",
    "Trip",
    "Verdict",
    "__version__",
    "assert_conflict_free",
    "audit",
    "find",
    "help_json",
    "run",
    "verdict",
    "why",
]
