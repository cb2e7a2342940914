"""Breaks a random sample of all rooms, one place a file, and lists what no test notices.

A mutant is a changed comparison or connective, a statement left out, or a swapped constant. All of a sample are compiled
into one copy of the package, and the environment says which one is awake. Of the tests, those suites are asked that meet it.
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from equivalents import EQUIVALENTS
from running import ROOT, swift
from sites import sites
from suites import Suites

ROOMS = ["NacreSQLite", "NacreCrypto", "NacreStore", "NacreUpkeep", "NacreOpen", "NacreCore", "NacreRecords", "NacreDAO", "NacreMacros", "NacreTool"]
# Compiled without the trait Tool alone, so no test meets it here.
WITHOUT_TRAIT = "Sources/NacreTool/MissingTrait.swift"

SWITCH = """#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private let awake: Int32 = {
  let text: UnsafeMutablePointer<CChar>? = getenv("NACRE_MUTANT")
  return text.map { atoi($0) } ?? 0
}()

// A byte for each mutant that was met, so that each is told once; where it is told, or -1.
nonisolated(unsafe) private let met: UnsafeMutablePointer<UInt8> = {
  let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 16)
  bytes.initialize(repeating: 0, count: 1 << 16)
  return bytes
}()

private let told: Int32 = {
  guard let path = getenv("NACRE_MUTANTS_MET") else { return -1 }
  return open(path, O_WRONLY | O_APPEND)
}()

@usableFromInline
func mutant(_ number: Int32) -> Bool {
  if told >= 0 && met[Int(number)] == 0 {
    met[Int(number)] = 1
    let line = Array("\\(number)\\n".utf8)
    _ = write(told, line, line.count)
  }
  return awake == number
}

"""


class Sample:
    """Up to so many mutants, each of another file."""

    def __init__(self, count, seed, only):
        self.random = random.Random(seed)
        self.candidates = {}
        for room in ROOMS:
            for file in sorted((ROOT / "Sources" / room).rglob("*.swift")):
                path = str(file.relative_to(ROOT))
                if path != WITHOUT_TRAIT and (not only or any(text in path for text in only)):
                    found = sites(path, file.read_text())
                    self.random.shuffle(found)
                    if found:
                        self.candidates[path] = found
        self.order = sorted(self.candidates)
        self.random.shuffle(self.order)
        self.chosen = {}
        self.count = count
        self.number = 0

    def fill(self):
        """Takes the next place of the next files, until there are enough."""
        while len(self.chosen) < self.count and self.order:
            path = self.order.pop(0)
            self.number += 1
            # By weight of kind, or constants and statements, of which there are the most, would be nearly all.
            kinds = sorted({site.kind for site in self.candidates[path]})
            kind = self.random.choice(kinds)
            site = next(site for site in self.candidates[path] if site.kind == kind)
            self.candidates[path].remove(site)
            self.chosen[path] = (self.number, site)

    def drop(self, path):
        """Takes another place of a file whose mutant does not compile, while there is one."""
        del self.chosen[path]
        if self.candidates[path]:
            self.order.insert(0, path)


class Copy:
    """A copy of the package, into which mutants are written."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
        for path in listed.stdout.splitlines():
            source, target = ROOT / path, self.folder / path
            if source.is_file() and not (target.exists() and target.read_bytes() == source.read_bytes()):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)

    def write(self, path, text):
        file = self.folder / path
        if not file.exists() or file.read_text() != text:
            file.write_text(text)

    def build(self, sample, former):
        """Compiles a sample in.

        - Returns: the files of which the mutant does not compile.
        """
        for path in former - set(sample.chosen):
            self.write(path, (ROOT / path).read_text())
        declared = {room: SWITCH for room in ROOMS}
        for path, (number, site) in sample.chosen.items():
            text = (ROOT / path).read_text()
            self.write(path, text[:site.start] + site.text(number) + text[site.end:])
            declared[path.split("/")[1]] += site.declarations(number)
        for room, text in declared.items():
            self.write(f"Sources/{room}/Mutant.swift", text)
        output, status = swift(self.folder, ["build", "--traits", "Tool", "--build-tests"])
        if status == 0:
            return set()
        blamed = {path for path in sample.chosen if re.search(re.escape(path) + r":\d+:\d+: error", output)}
        if not blamed:
            sys.exit(f"script/mutate: the copy does not build, and no mutant is to blame:\n{output[-4000:]}")
        return blamed


def built(copy, sample):
    """Fills the sample with mutants that compile."""
    former = set()
    while True:
        sample.fill()
        now = set(sample.chosen)
        blamed = copy.build(sample, former)
        former |= now
        if not blamed:
            return
        print(f"{len(blamed)} do not compile; others take their places", flush=True)
        for path in blamed:
            sample.drop(path)


def verdict(suites, number, site):
    text = (ROOT / site.path).read_text()
    line = text.count("\n", 0, site.start) + 1
    source = text.splitlines()[line - 1].strip()
    place = f"{site.path}:{line}: `{source}`, {site.source if site.kind == 'statement' else ''} {site.change()}"
    if reason := EQUIVALENTS.get((site.path, source, site.change())):
        return "changes nothing", f"{place}: {reason}"
    if test := suites.noticing(number):
        return "caught", f"{place}: {test}"
    return "SURVIVED", place if number in suites.meeting else f"{place}: no test meets it"


def run(options):
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(options.scratch or folder)
        sample = Sample(options.sample, options.seed, options.only)
        built(copy, sample)
        if options.list:
            for path, (number, site) in sorted(sample.chosen.items()):
                print(f"{number} {path}: {site.source!r} {site.change()}")
            return 0
        suites = Suites(copy.folder)
        suites.look()
        print(f"{len(suites.seconds)} suites, one after another {sum(suites.seconds.values()):.0f} s", flush=True)
        counts = dict.fromkeys(["caught", "changes nothing", "SURVIVED"], 0)
        for number, site in sample.chosen.values():
            word, place = verdict(suites, number, site)
            counts[word] += 1
            print(f"{word}  {place}", flush=True)
        print(f"{len(sample.chosen)} mutants, seed {options.seed}: " + ", ".join(f"{n} {w}" for w, n in counts.items()))
        return int(counts["SURVIVED"] > 0)


def main():
    parser = argparse.ArgumentParser(prog="script/mutate", description=__doc__)
    parser.add_argument("--sample", type=int, required=True, metavar="N", help="so many mutants, one a file")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which ones")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="of files whose path has one of these texts")
    parser.add_argument("--scratch", metavar="DIR", help="a folder for the copy and its build, which is kept")
    parser.add_argument("--list", action="store_true", help="build them, print them and stop")
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
