"""Breaks the crypto room on purpose, one check at a time, and sees which test notices. See CRYPTO.md."""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import shutil
import sys
import tempfile

from mutants import DROP, MUTANTS, SURVIVES
from running import ROOT, TIMEOUT, failures, swift

TESTS = ROOT / "Tests/NacreCrypto"
PAGE = ROOT / "Tests/Mutation/CRYPTO.md"
# Tests that a mutant makes hang are stopped after so many seconds.
PATIENCE = 120

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "mutants",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    .target(name: "NacreCrypto", dependencies: ["COpenSSL"]),
    .testTarget(
      name: "NacreCryptoTests",
      dependencies: ["NacreCrypto"],
      path: "Tests/NacreCrypto"
    ),
  ],
  swiftLanguageModes: [.v6]
)
for target in package.targets where target.type != .system {
  target.swiftSettings = ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"]
    .map { .enableUpcomingFeature($0) }
}
"""

# All mutants of a build are compiled in; the environment says which one is awake.
C_SWITCH = """#include <stdlib.h>
#ifndef NACRE_MUTANT
#define NACRE_MUTANT
static inline int nacre_mutant(int number) {
  static int awake = -1;
  const char *text = getenv("NACRE_MUTANT");
  if (awake < 0) awake = text != NULL ? atoi(text) : 0;
  return awake == number;
}
#endif
"""
SWIFT_SWITCH = """internal import COpenSSL

func mutant(_ number: Int32) -> Bool { nacre_mutant(number) != 0 }
"""


class Mutant:
    def __init__(self, number, path, entry):
        self.number = number
        self.path = path
        self.id, self.source, self.replacement, self.breaks, self.test = entry

    @property
    def survives(self):
        return self.test.startswith(SURVIVES)

    @property
    def place(self):
        """The offsets of the source text in its file; None unless it occurs exactly once."""
        text = (ROOT / "Sources" / self.path).read_text()
        if text.count(self.source) != 1:
            return None
        start = text.index(self.source)
        return start, start + len(self.source)

    def text(self):
        """What takes the place of the source text: both of them, and the switch."""
        switch = f"{'nacre_' if self.path.endswith('.h') else ''}mutant({self.number})"
        if self.replacement is DROP:
            return f"if (!{switch}) {{ {self.source} }}"
        if "MUTANT" in self.replacement:
            return self.replacement.replace("MUTANT", switch)
        return f"({switch} ? ({self.replacement}) : ({self.source}))"


def all_mutants():
    entries = [(path, entry) for path, entries in MUTANTS.items() for entry in entries]
    return [Mutant(number, path, entry) for number, (path, entry) in enumerate(entries, 1)]


def builds(mutants):
    """Groups of mutants whose source texts do not overlap, so that one build serves each group."""
    groups = []
    for mutant in mutants:
        start, end = mutant.place
        for group in groups:
            near = [other.place for other in group if other.path == mutant.path]
            if all(end <= other[0] or other[1] <= start for other in near):
                group.append(mutant)
                break
        else:
            groups.append([mutant])
    return groups


class Scratch:
    """A package of its own: copies of the room, its tests and the vectors."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "Package.swift").write_text(MANIFEST)
        for path in ["Sources/COpenSSL", "Sources/NacreCrypto", "Tests/NacreCrypto", "Vectors"]:
            shutil.copytree(ROOT / path, self.folder / path)
        (self.folder / "Sources/NacreCrypto/Mutant.swift").write_text(SWIFT_SWITCH)

    def build(self, mutants):
        for path in MUTANTS:
            text = (ROOT / "Sources" / path).read_text()
            for mutant in sorted((m for m in mutants if m.path == path), key=lambda m: m.place, reverse=True):
                start, end = mutant.place
                text = text[:start] + mutant.text() + text[end:]
            file = self.folder / "Sources" / path
            text = C_SWITCH + text if path.endswith(".h") else text
            if file.read_text() != text:
                file.write_text(text)
        output, status = swift(self.folder, ["build", "--build-tests"])
        return "" if status == 0 else output

    def failures(self, number, test=None):
        """What fails with a mutant awake, of one test or all of them; nothing when they pass."""
        arguments = ["test", "--disable-xctest", "--skip-build", "--ignore-lock"]
        if test is not None:
            suite, name = test.split("/", 1)
            arguments += ["--filter", f"{suite}/.?{re.sub('[^A-Za-z0-9]', '.', name)}.?[(]"]
        output, status = swift(self.folder, arguments, number, PATIENCE)
        if status is not None and "Test run started" not in output:
            sys.exit(f"script/mutate: the tests did not run: {output}")
        return failures(output, status)


def judge(scratch, mutant):
    """What became of a mutant, and by which test."""
    if not mutant.survives and (failures := scratch.failures(mutant.number, mutant.test)):
        return "killed", mutant.test if failures != [TIMEOUT] else f"{mutant.test}, which never ended"
    failures = scratch.failures(mutant.number)
    if mutant.survives:
        return ("killed by another test", failures[0]) if failures else ("survives as listed", mutant.breaks)
    return ("killed by another test", f"{failures[0]}, not {mutant.test}") if failures else ("SURVIVED", mutant.breaks)


def run(scratch, mutants, jobs):
    """Builds a group of mutants and runs each; halves the group until what does not compile stands alone."""
    if errors := scratch.build(mutants):
        if len(mutants) == 1:
            print(f"DOES NOT COMPILE  {mutants[0].id}\n{errors}", flush=True)
            return ["DOES NOT COMPILE"]
        middle = len(mutants) // 2
        return run(scratch, mutants[:middle], jobs) + run(scratch, mutants[middle:], jobs)
    if failures := scratch.failures(0):
        sys.exit(f"script/mutate: the tests fail with every mutant asleep: {', '.join(failures)}")
    verdicts = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, (verdict, why) in zip(mutants, pool.map(lambda mutant: judge(scratch, mutant), mutants)):
            print(f"{verdict}  {mutant.id}: {why}", flush=True)
            verdicts.append(verdict)
    return verdicts


def table(mutants):
    rows = [f"| {m.id} | {m.breaks} | {m.test.replace(SURVIVES, 'none: ')} |" for m in mutants]
    return "\n".join(["| mutant | what is broken | the test that catches it |", "|---|---|---|", *rows]) + "\n"


def stale(mutants):
    """What in the list no longer fits the sources, the tests or the page."""
    tests = {}
    for file in TESTS.rglob("*.swift"):
        text = file.read_text()
        for suite in re.findall(r"@Suite struct (\w+)", text):
            tests[suite] = set(re.findall(r"func `?(.+?)`?\(", text))
    for mutant in mutants:
        if mutant.place is None:
            yield f"{mutant.id}: its source text does not occur once in Sources/{mutant.path}"
        suite, _, name = mutant.test.partition("/")
        if not mutant.survives and name not in tests.get(suite, ()):
            yield f"{mutant.id}: there is no test {mutant.test}"
    if not PAGE.exists() or table(mutants) not in PAGE.read_text():
        yield f"{PAGE.relative_to(ROOT)} has another table: script/mutate --list prints it"


def main():
    parser = argparse.ArgumentParser(prog="script/mutate", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the mutants as a table and stop")
    parser.add_argument("--check", action="store_true", help="look whether the list fits the sources and stop")
    parser.add_argument("--only", nargs="+", metavar="ID", help="run these mutants alone")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many mutants at a time")
    options = parser.parse_args()
    mutants = all_mutants()
    if options.list:
        return print(table(mutants), end="")
    if options.check:
        problems = list(stale(mutants))
        print("\n".join(problems) or f"ok: {len(mutants)} mutants fit the sources, the tests and the page")
        return bool(problems)
    chosen = [m for m in mutants if options.only is None or m.id in options.only]
    if options.only and len(chosen) != len(set(options.only)):
        parser.error("an id of --only is not in the list")
    if old := [m.id for m in chosen if m.place is None]:
        sys.exit(f"script/mutate: stale: {', '.join(old)}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(folder)
        verdicts = [verdict for group in builds(chosen) for verdict in run(scratch, group, options.jobs)]
    counts = collections.Counter(verdicts)
    print(f"{len(verdicts)} mutants: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return bool(counts["SURVIVED"] or counts["DOES NOT COMPILE"])


if __name__ == "__main__":
    sys.exit(main())
