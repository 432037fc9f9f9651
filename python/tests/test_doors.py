"""Random tiles and accesses: Python says what their formulas and the definition of a conflict say.

`doors.json` is written by `cli/tests/random_headers/doors.rs`, which asks every other door the same files.
"""

import json
import pathlib

import pytest
import tiledesc as td

tomllib = pytest.importorskip("tomllib", reason="Python older than 3.11 does not read TOML")
FILES = json.loads(pathlib.Path(__file__).with_name("doors.json").read_text())
OWN = {"chips", "element", "shape", "write", "read", "fill", "bytes"}


def named(file, by):
    """The text of a distribution that an access names."""
    return file.get("distribution", {}).get(by, by)


@pytest.mark.parametrize("number", range(len(FILES)))
def test_file(number):
    asked = FILES[number]
    file = tomllib.loads(asked["toml"])
    for access in asked["accesses"]:
        tile = file["tile"][access["tile"]]
        if "bytes" in tile:
            continue
        layout = {key: value for key, value in tile.items() if key not in OWN}
        made = td.Tile(tile["element"], tile["shape"], **layout)
        stated = {access["access"]: [(access["op"], named(file, access["by"]))]}
        [found] = made.check(access["chip"], **stated).verdicts
        wanted = [access[key] for key in ("free", "base", "cycles", "race")]
        assert [found.free, found.base_cycles, found.cycles, found.race] == wanted, found
        if not access["race"]:
            assert found.degree == access["degree"], found
        bits = {"f32": 32, "f16": 16, "f8": 8}[tile["element"]]
        for _, at, byte in access["lanes"]:
            assert made.offset(*at) * bits == byte * 8
