"""Compares the order of the rooms on Sources/README.md with the uses in the index store of a build."""
import os
import re
import sys
from pathlib import Path

from index import Index

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"


def order(page):
    """The level of each folder of each module on the page: {module: {folder: level}}."""
    levels, module = {}, None
    for line in page.splitlines():
        if heading := re.match(r"## (\w+)", line):
            module = heading[1]
        elif entry := re.match(r"(\d+)\. `([^`]+)`:", line):
            levels.setdefault(module, {})[entry[2]] = int(entry[1])
    return levels


def place(file):
    """The module of a file and its folder there, `.` for the module's own."""
    parts = file.split("/")
    return parts[0], parts[1] if len(parts) > 2 else "."


def unlisted(files, levels):
    """The folders that are on the page or in the sources, but not in both."""
    there = {}
    for file in files:
        module, folder = place(file)
        there.setdefault(module, set()).add(folder)
    for module, folders in sorted(levels.items()):
        for folder in sorted(folders.keys() ^ there.get(module, set())):
            # A file in the module's own folder, such as its exports, uses no room and is used by none.
            if folder == "." and folder not in folders:
                continue
            known = "the page" if folder in folders else "the sources"
            yield f"{module}/{folder} is in {known} alone"


def wrong_uses(uses, levels):
    """The uses that do not go to a lower level of the same module."""
    for file, others in sorted(uses.items()):
        module, folder = place(file)
        known = levels.get(module, {})
        for other, names in sorted(others.items()):
            target, home = place(other)
            if target != module or home == folder or folder not in known:
                continue
            if known.get(home, 0) >= known[folder]:
                yield f"{file} uses {', '.join(sorted(names)[:4])} of {other}, which does not stand below"


def circles(uses, levels):
    """The modules without an order on the page whose folders use each other in a circle."""
    graph = {}
    for file, others in uses.items():
        if place(file)[0] in levels:
            continue
        targets = graph.setdefault(place(file), set())
        targets |= {place(other) for other in others if place(other)[0] == place(file)[0]} - {place(file)}
    while graph:
        free = [room for room, targets in graph.items() if not targets & graph.keys()]
        if not free:
            yield "circle among " + ", ".join(sorted("/".join(room) for room in graph))
            return
        for room in free:
            del graph[room]


def check_itself():
    """A page and uses that are wrong are found."""
    levels = {"A": {"Low": 1, "High": 2}}
    uses = {"A/Low/a.swift": {"A/High/b.swift": {"b"}}, "A/High/b.swift": {}}
    assert len(list(wrong_uses(uses, levels))) == 1
    assert not list(wrong_uses({"A/High/b.swift": {"A/Low/a.swift": {"a"}}}, levels))
    assert len(list(unlisted(["A/Low/a.swift", "A/New/c.swift"], levels))) == 2
    both = {"B/One/a.swift": {"B/Two/b.swift": {"b"}}, "B/Two/b.swift": {"B/One/a.swift": {"a"}}}
    assert len(list(circles(both, levels))) == 1


def main():
    check_itself()
    store = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build/debug/index/store"
    levels = order((SOURCES / "README.md").read_text())
    files = [str(file.relative_to(SOURCES)) for file in SOURCES.rglob("*.swift")]
    uses = Index(store, SOURCES).uses()
    modules = {place(file)[0] for file in files}
    if os.environ.get("NACRE_WITHOUT_MACROS"):
        modules &= {place(file)[0] for file in uses}
    missing = sorted(file for file in files if place(file)[0] in modules and file not in uses)
    problems = [f"{file} is not in the index; build first" for file in missing]
    problems += [*unlisted(files, levels), *wrong_uses(uses, levels), *circles(uses, levels)]
    if problems:
        sys.exit("\n".join(problems))
    count = sum(len(folders) for folders in levels.values())
    print(f"ok: {len(uses)} files in {count} rooms use only what stands below them")


main()
