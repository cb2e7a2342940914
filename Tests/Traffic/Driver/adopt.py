#!/usr/bin/env python3
"""Adopts a foreign file of many rows, sealed and plain, and says how long that took: script/adopt.

A sealed row has five sealed values, and two blind indexes, one of them unique. A plain one has the same values in a
table of a record with an index.
"""

import argparse
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import Deviation, Programs, run, words

BAR = 30  # seconds for a million rows
VALUES = {name: name for name in ("holder", "number", "note", "memo", "amount")}
TARGETS = {
    "sealed": {"entity": "Ledger", "properties": {"version": {"default": 1}, **VALUES}},
    "plain": {"record": "plain", "properties": {"id": "id", **VALUES}},
}
PLAIN = (
    "CREATE TABLE plain (id INTEGER PRIMARY KEY, holder TEXT, number TEXT, note TEXT, memo TEXT, "
    "amount INTEGER)")


def make_foreign(path, count):
    """Makes the file, in the order of its keys, as an application does over the years."""
    connection = sqlite3.connect(path)
    connection.execute(PLAIN.replace("plain", "ledger"))
    rows = ((i, f"holder {i % 5000}", f"number {i}", None if i % 3 else f"note {i}",
             "memo " * (i % 7), i * 31) for i in range(count))
    with connection:
        connection.executemany("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.close()


def make_record(path):
    """Makes the table of plain rows, as an application does by `Table.create()`."""
    connection = sqlite3.connect(path)
    connection.execute(PLAIN)
    connection.execute("CREATE INDEX plain_holder ON plain (holder)")
    connection.close()


def write_mapping(path, target):
    key = {"key": "id"} if "entity" in target else {}
    path.write_text(json.dumps({"tables": [{"table": "ledger", **key, **target}]}))


def adopt(programs, folder, count, *options):
    """Runs the command; gives the seconds and the largest resident size of any child so far, in MiB."""
    command = programs.nacre(
        "adopt", folder / "old.db", "--mapping", folder / "M.json", "--into", folder / "store.db",
        "--key-file", folder / "store.key", *options)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode != 0 or f"dopt{'' if options else 'ed'} {count} rows." not in done.stdout:
        raise Deviation(f"{words(command)}: exit {done.returncode}: {done.stderr.strip()}")
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    arguments = parser.parse_args()
    programs = Programs(arguments.programs)
    with tempfile.TemporaryDirectory(prefix="nacre-adopt-") as name:
        folder = Path(name)
        run(programs.traffic(
            "make", folder / "store.db", "--key-file", folder / "store.key", "--count", 1))
        make_record(folder / "store.db")
        make_foreign(folder / "old.db", arguments.rows)
        slowest = 0
        for kind, target in TARGETS.items():
            write_mapping(folder / "M.json", target)
            for title, options in (("dry run", ["--dry-run"]), ("adoption", [])):
                seconds, mebibytes = adopt(programs, folder, arguments.rows, *options)
                print(
                    f"{kind:6}  {title:8}  {arguments.rows} rows  {seconds:.1f} s  {mebibytes} MiB",
                    flush=True)
                slowest = max(slowest, seconds)
        run(programs.nacre("check", folder / "store.db"))
        if slowest > BAR * arguments.rows / 1_000_000:
            sys.exit(f"script/adopt: the bar is {BAR} s for a million rows")


if __name__ == "__main__":
    main()
