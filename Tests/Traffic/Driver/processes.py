"""What both drivers share: the programs, processes that go on beside the test, and a place that stays on failure."""

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


# Exit statuses of nacre: another process has the right to rotate, or to write.
HELD, BUSY = 40, 16
# How long a process that was killed while it rotated keeps that right.
LEASE_SECONDS = 30


class Deviation(Exception):
    """Something that must not be."""


class Programs:
    """The two programs, called as anybody calls them; stores are sealed files if that is asked for."""

    def __init__(self, folder, sealed_file=False):
        self.folder = Path(folder)
        self.seals = "file" if sealed_file else "properties"

    def command(self, program, verb, store, *options):
        return [str(self.folder / program), *verb.split(), str(store), *map(str, options)]

    def nacre(self, verb, store, *options):
        return self.command("nacre", verb, store, *options)

    def traffic(self, verb, store, *options):
        return self.command("Traffic", verb, store, *options)

    def make(self, store, key, count, log):
        return self.traffic("make", store, "--key-file", key, "--count", count, "--log", log,
                            "--seals", self.seals)


def run(command, expected=(0,)):
    """Runs a command to its end; gives its standard output."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode not in expected:
        raise Deviation(f"{words(command)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def status(command):
    """Runs a command to its end; gives its exit status."""
    return subprocess.run(command, capture_output=True, timeout=300).returncode


def events(text):
    return [json.loads(line) for line in text.splitlines()]


def words(command):
    return " ".join([Path(command[0]).name, *command[1:]])


class Companion:
    """A writer or reader that goes on until it is stopped."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # From its first answer on it listens to signals, too.
        self.counts()

    def counts(self):
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            raise Deviation(f"{words(self.command)} ended: {self.process.stderr.read().strip()}")
        return json.loads(line)

    def stop(self):
        self.process.terminate()
        _, complaint = self.process.communicate(timeout=60)
        if self.process.returncode != 0:
            raise Deviation(
                f"{words(self.command)}: exit {self.process.returncode}: {complaint.strip()}")

    def end(self):
        self.process.kill()
        self.process.wait()


def parser(description, **defaults):
    """The options of all drivers, and numbers with what they are if not given."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    for name, preset in defaults.items():
        made.add_argument(f"--{name}", type=int, default=preset, help=f"{preset} if not given")
    return made


def server_options(description, **defaults):
    """The command line of a driver that starts servers by the programs in a directory."""
    made = parser(description, **defaults)
    made.add_argument("--postgres", required=True, help=argparse.SUPPRESS)
    return made.parse_args()


def options(description, can_use_server=False, **defaults):
    """The command line of a driver whose stores are files."""
    made = parser(description, **defaults)
    made.add_argument("--sealed-file", action="store_true", help="seal every page of the store")
    if can_use_server:
        made.add_argument("--postgres", action="store_true",
                          help="keep the stores on the server of script/postgres")
    return made.parse_args()


def drive(name, test, note=""):
    """Runs a test in a directory that goes with its success, and stays otherwise."""
    folder = Path(tempfile.mkdtemp(prefix=f"nacre-{name}-"))
    try:
        with contextlib.ExitStack() as cleaning:
            test(folder, cleaning)
    except (Deviation, subprocess.TimeoutExpired) as failure:
        print(f"script/{name}: FAILED: {failure}", file=sys.stderr)
        print(f"script/{name}: its files are in {folder}{note}", file=sys.stderr)
        return 1
    except BaseException:
        print(f"script/{name}: its files are in {folder}{note}", file=sys.stderr)
        raise
    shutil.rmtree(folder)
    return 0


def table(rows):
    """Prints rows in columns: texts to the left, numbers to the right."""
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    is_text = [isinstance(cell, str) for cell in rows[-1]]
    for row in rows:
        cells = [str(cell).ljust(width) if left else str(cell).rjust(width)
                 for cell, width, left in zip(row, widths, is_text)]
        print("  " + "  ".join(cells).rstrip())
