"""The fixture ``tiledesc``: layouts and compiled kernels judged in tests.

    def test_layouts(tiledesc):
        tiledesc.check("kernel.toml")

    def test_kernel(tiledesc):
        tiledesc.assert_conflict_free(kernel.warmup(..))
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ._tiledesc import assert_conflict_free, run


class Judge:
    """What the fixture is: paths are those of the test's folder, or of the working folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def check(self, path: str | os.PathLike[str], *, max_degree: int = 1, strict: bool = False) -> None:
        """Fails the test unless ``tiledesc check`` of the file passes, with the lines that do not."""
        given = Path(path)
        beside = self._folder / given
        file = beside if beside.exists() else given
        words = ["check", str(file), "--quiet", "--max-degree", str(max_degree)]
        status, out, err = run(words + ["--strict"] if strict else words)
        if status:
            pytest.fail(f"{out}{err}".strip(), pytrace=False)

    def assert_conflict_free(self, kernel: Any, **options: Any) -> None:
        """The same of a compiled kernel, as ``tiledesc.assert_conflict_free``."""
        assert_conflict_free(kernel, **options)


@pytest.fixture
def tiledesc(request: pytest.FixtureRequest) -> Judge:
    """Judges layouts (``check``) and compiled kernels (``assert_conflict_free``)."""
    return Judge(request.path.parent)
