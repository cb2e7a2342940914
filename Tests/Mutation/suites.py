"""Knows which suites of tests meet a mutant, so that only these need be asked about it."""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

from running import failures, run

# A suite that a mutant makes hang is stopped after so many times what it takes, and so many seconds.
PATIENCE = (10, 60)
# Reads the sources, in which the mutants lie, and runs none of them.
READERS = "ArchitectureTests."
# How many seconds of tests are asked first; each later question takes twice as many.
FIRST_QUESTION = 5


class Suites:
    """The suites of a copy that is built, each with its time and the mutants that it meets."""

    def __init__(self, folder):
        self.folder = folder
        bundles = list(pathlib.Path(folder, ".build", "debug").glob("*PackageTests.xctest"))
        # A file on Linux, which starts in no time.
        programs = [str(bundle.resolve()) for bundle in bundles if bundle.is_file()]
        self.command = (
            [programs[0], "--testing-library", "swift-testing"] if programs
            else ["swift", "test", "--traits", "Tool", "--disable-xctest", "--skip-build", "--ignore-lock"])
        self.seconds = {}
        self.meeting = {}

    def names(self):
        command = self.command + ["--list-tests"] if self.command[0] != "swift" else ["swift", "test", "--traits", "Tool", "list", "--skip-build"]
        listed = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout
        tests = [line for line in listed.splitlines() if re.match(r"\w+Tests\.", line)]
        tests = [test for test in tests if not test.startswith(READERS)]
        return sorted({test.split("/")[0] for test in tests})

    def look(self):
        """Runs each suite alone with every mutant asleep, and notes which mutants it meets."""
        for name in self.names():
            with tempfile.NamedTemporaryFile("r") as told:
                begun = time.monotonic()
                output, status = self.ask([name], told=told.name)
                self.seconds[name] = time.monotonic() - begun
                if found := failures(output, status):
                    sys.exit(f"script/mutate: {name} fails with every mutant asleep: {found[0]}")
                for number in set(told.read().split()):
                    self.meeting.setdefault(int(number), []).append(name)

    def ask(self, names, number=0, told=None, patience=None):
        filters = [text for name in names for text in ("--filter", rf"^{re.escape(name)}(/|$)")]
        # What a mutant leaves in the current directory is none of the next one's.
        with tempfile.TemporaryDirectory() as folder:
            return run(
                self.folder if self.command[0] == "swift" else folder,
                self.command + filters, number, patience, until_failure=number > 0, told=told)

    def noticing(self, number):
        """The first test that fails with a mutant awake; nil where all pass that meet it."""
        waiting = sorted(self.meeting.get(number, []), key=self.seconds.get)
        limit = FIRST_QUESTION
        while waiting:
            names, seconds = [], 0
            while waiting and (not names or seconds + self.seconds[waiting[0]] <= limit):
                names.append(waiting.pop(0))
                seconds += self.seconds[names[-1]]
            output, status = self.ask(names, number, patience=PATIENCE[0] * seconds + PATIENCE[1])
            if found := failures(output, status):
                return found[0]
            limit *= 2
        return None
