"""What is claimed about speed, each beside something of the same run: ``python tests/bench.py``.

| claim | measure |
|---|---|
| a verdict on addresses | under 10 us |
| ``import tiledesc`` | under 30 ms |
| offsets of 10^6 coordinates | at most 3 times numpy's own shifts and xors |

With ``--check`` it fails where one is missed. Times are processor time, the least of several, so that a busy machine counts less.
"""

import subprocess
import sys
import time
import timeit

import tiledesc as td


def least(call, number, repeat=7):
    return min(timeit.repeat(call, number=number, repeat=repeat, timer=time.process_time)) / number


def started(words):
    """Seconds of processor time that an interpreter takes."""
    import resource

    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-I", "-c", words], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return min(once() for _ in range(9))


def main():
    faults = []

    def said(what, figure, unit, limit, beside=""):
        print(f"{what:34} {figure:8.2f} {unit:6} (at most {limit}) {beside}")
        if figure > limit:
            faults.append(what)

    lanes = [128 * (lane % 16) + 16 * (lane // 16) for lane in range(64)]
    by_hand = least(lambda: max(lanes.count(one) for one in lanes), 2000)
    verdict = least(lambda: td.verdict("gfx942", "ds_read_b128", lanes), 2000)
    said("verdict", verdict * 1e6, "us", 10, f"{verdict / by_hand:.2f} of 64 times list.count")
    scattered = [4 * (lane * lane * 7 % 1021) for lane in range(64)]
    said("verdict of scattered addresses", least(lambda: td.verdict("gfx942", "ds_read_b32", scattered), 2000) * 1e6, "us", 10)
    said("import", (started("import tiledesc") - started("pass")) * 1e3, "ms", 30)
    try:
        import numpy
    except ImportError:
        print("skipped: offsets: numpy is not installed")
        return faults
    said("verdict of a numpy array", least(lambda a=numpy.array(lanes): td.verdict("gfx942", "ds_read_b128", a), 2000) * 1e6, "us", 10)
    tile = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
    draw = numpy.random.default_rng(1)
    for kind in ["int64", "int32"]:
        m = draw.integers(0, 128, 10**6).astype(kind)
        k = draw.integers(0, 64, 10**6).astype(kind)
        own = lambda: (m << 6) + (k ^ (m & 7) << 3)
        assert (tile.offset(m, k) == own()).all()
        shifts, ours = least(own, 3), least(lambda: tile.offset(m, k), 3)
        said(f"10^6 offsets of {kind}", ours / shifts, "times", 3, f"{ours * 1e3:.1f} ms, numpy {shifts * 1e3:.1f} ms")
    return faults


if __name__ == "__main__":
    faults = main()
    sys.exit(f"missed: {', '.join(faults)}" if faults and "--check" in sys.argv else 0)
