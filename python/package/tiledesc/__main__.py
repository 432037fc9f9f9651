"""The command line: ``python -m tiledesc check kernel.toml``."""

import signal
import sys

from ._tiledesc import _program


def main() -> int:
    # A search runs in Rust, which does not look for Python's signals.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _program(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
