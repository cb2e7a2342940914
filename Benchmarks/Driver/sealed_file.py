#!/usr/bin/env python3
"""Measures a sealed file beside a plain one and SQLCipher, all by the same loop: script/bench --sealed-file."""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LOOP = Path(__file__).with_name("loop.py")


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--size", default="10000,100000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--short", action="store_true")
    # The other options are those of the benchmarks in Swift.
    return parser.parse_known_args()[0]


def measure(subject, count, library):
    """One subject's works in fresh files, as microseconds an operation by name."""
    with tempfile.TemporaryDirectory(prefix="nacre-bench-") as folder:
        done = subprocess.run([sys.executable, LOOP, subject, folder, str(count), library],
                              stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{subject}: exit {done.returncode}")
    return json.loads(done.stdout)


def subjects():
    found = ["plain", "sealed"]
    try:
        from sqlcipher3 import dbapi2
    except ImportError:
        print("SQLCipher is not here: PyPI has it as sqlcipher3-wheels, for some systems")
        return found
    version = dbapi2.connect(":memory:").execute("PRAGMA cipher_version").fetchone()[0]
    print(f"SQLCipher {version}, on SQLite {dbapi2.sqlite_version}")
    return found + ["sqlcipher without a key", "sqlcipher"]


def table(names, rounds):
    """Medians of the rounds, and of their ratios to the plain file of the same round."""
    print(f"{'µs':32}" + "".join(f"{name:>26}" for name in names))
    for work in rounds[0]["plain"]:
        line = f"{work:32}"
        for name in names:
            times = [one[name][work] for one in rounds]
            ratio = statistics.median(one[name][work] / one["plain"][work] for one in rounds)
            line += f"{statistics.median(times):16.2f} ({ratio:5.2f} ×)"
        print(line)


def main():
    given = options()
    import sqlite3
    print(f"\nThe same loop in Python {sys.version.split()[0]}, on SQLite {sqlite3.sqlite_version}")
    names = subjects()
    for size in [2_000] if given.short else [int(size) for size in given.size.split(",")]:
        rounds = []
        for number in range(1 if given.short else given.rounds):
            turn = number % len(names)
            rounds.append({name: measure(name, size, given.library)
                           for name in names[turn:] + names[:turn]})
        print(f"{size} rows")
        table(names, rounds)


if __name__ == "__main__":
    main()
