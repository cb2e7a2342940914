#!/usr/bin/env python3
"""Adopts a foreign file of many rows, five sealed values and two blind indexes each: script/adopt."""

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
MAPPING = {
    "tables": [{
        "table": "ledger", "entity": "Ledger", "key": "id",
        "properties": {
            "version": {"default": 1}, "holder": "holder", "number": "number", "note": "note",
            "memo": "memo", "amount": "amount",
        },
    }],
}


def make_foreign(path, count):
    """Makes the file, in the order of its keys, as an application does over the years."""
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE ledger (id INTEGER PRIMARY KEY, holder TEXT, number TEXT, note TEXT, "
        "memo TEXT, amount INTEGER)")
    rows = ((i, f"holder {i % 5000}", f"number {i}", None if i % 3 else f"note {i}",
             "memo " * (i % 7), i * 31) for i in range(count))
    with connection:
        connection.executemany("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?)", rows)
    connection.close()


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
        (folder / "M.json").write_text(json.dumps(MAPPING))
        make_foreign(folder / "old.db", arguments.rows)
        for title, options in (("dry run", ["--dry-run"]), ("adoption", [])):
            seconds, mebibytes = adopt(programs, folder, arguments.rows, *options)
            print(f"{title:9} {arguments.rows} rows  {seconds:.1f} s  {mebibytes} MiB", flush=True)
        run(programs.nacre("check", folder / "store.db"))
        if seconds > BAR * arguments.rows / 1_000_000:
            sys.exit(f"script/adopt: the bar is {BAR} s for a million rows")


if __name__ == "__main__":
    main()
