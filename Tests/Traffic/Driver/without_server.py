#!/usr/bin/env python3
"""Gives the URL of a server to a command that was built without the trait PostgreSQL.

It has to refuse the URL by name, make no file of that name, and show no password; and it needs no libpq.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import Deviation

PASSWORD = "Marker-7"
URLS = [f"postgresql://ada:{PASSWORD}@db.example/garage", "postgres://db.example", "PostgreSQL://x"]
# {} is the URL; each command has all that it needs otherwise.
COMMANDS = [
    "init {} --key-file key", "status {}", "check {}", "inspect {}", "catalog {}", "anchor {}", "verify {} --key-file key",
    "slot list {}", "rewrap {} --key-file key", "rotate {} --key-file key", "key list {}",
    "backup {} copy --key-file key", "header export {} header", "convert --seal-file {} --key-file key",
    "export {} --key-file key", "import {} --key-file key",
]


def refuse(command, folder, verb, url):
    arguments = [url if word == "{}" else word for word in verb.split()]
    done = subprocess.run([command, *arguments], cwd=folder, capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    shown = f"nacre {verb}: exit {done.returncode}: {done.stderr.strip()}"
    if done.returncode == 0 or "trait PostgreSQL" not in done.stderr:
        raise Deviation(f"{shown}; it does not name the trait")
    if PASSWORD in done.stdout + done.stderr:
        raise Deviation(f"{shown}; it shows the password")
    left = sorted(entry.name for entry in Path(folder).iterdir())
    if left != ["key"]:
        raise Deviation(f"{shown}; it has made {left}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the folder of the command")
    command = Path(parser.parse_args().programs).resolve() / "nacre"
    if sys.platform == "linux" and "libpq" in subprocess.check_output(["ldd", command], text=True):
        raise Deviation("the command needs libpq")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "key").write_bytes(os.urandom(32))
        for verb in COMMANDS:
            for url in URLS:
                refuse(command, folder, verb, url)
    print(f"ok: {len(COMMANDS)} commands without the trait PostgreSQL refuse {len(URLS)} URLs of servers")


if __name__ == "__main__":
    try:
        main()
    except Deviation as deviation:
        sys.exit(f"without_server: {deviation}")
