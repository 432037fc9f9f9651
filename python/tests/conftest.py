"""What is skipped, and why, stands in the list that the gate prints last."""

import os


def pytest_runtest_logreport(report):
    path = os.environ.get("TILEDESC_SKIPPED")
    if report.skipped and path:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        with open(path, "a") as file:
            file.write(f"{why.removeprefix('Skipped: ').splitlines()[0]}\t{report.nodeid}\n")


def pytest_collectreport(report):
    if report.skipped:
        pytest_runtest_logreport(report)
