"""Proves that the checker finds what it should: stores made by hand, whole and harmed, and every
kind of member of every case file changed once."""

import contextlib
import copy
import json
import shutil
import tempfile
from pathlib import Path

from . import cases, make
from .selftest_sealed import test_sealed_files
from .selftest_server import test_server
from .selftest_store import run_check, test_stores


def changed(value):
    """`value` with the least change that keeps its form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("1" if value[-1:] != "1" else "2")
    if value is None:
        return "00"
    if isinstance(value, dict):
        return {**value, next(iter(value)): changed(next(iter(value.values())))}
    return value[:-1] if value else [0]


def test_members(folder):
    """Every member of every sort of case, changed once: the checker must notice."""
    tried = 0
    for name, run in cases.RUNNERS.items():
        content = json.loads((folder / name).read_text())
        seen = set()
        for case in content["cases"]:
            for member in list(case) + ["a member nobody knows"]:
                # hidesNulls and ring decide nothing in a case that opens without their help.
                sort = (case.get("kind"), case.get("suite"), member)
                if case["expect"] not in ("opens", "matches") or sort in seen \
                        or member in ("comment", "hidesNulls"):
                    continue
                seen.add(sort)
                other = copy.deepcopy(case)
                other[member] = changed(case.get(member, "x"))
                if member == "text":
                    other[member] = case[member].replace("NACRE", "NACRe")
                if member == "journal":  # its last bytes are not read
                    other[member] = case[member][:-10]
                if member == "normalized":
                    other[member] = "ff" + case[member]
                tried += 1
                with contextlib.suppress(cases.Mismatch):
                    cases.check_case(run, other)
                    yield f"{name}: {member} changed in '{case['comment']}', and nobody noticed"
    print(f"cases: {tried} changed members noticed")


def test_files(folder, temporary):
    """Whole files: unknown, missing, empty of cases, with an unknown member."""
    copied = temporary / "Vectors"

    def harmed(harm):
        shutil.rmtree(copied, ignore_errors=True)
        shutil.copytree(folder, copied)
        harm()
        return run_check(copied, "cases")

    edit = lambda f, name="hkdf-rfc5869.json": lambda: (copied / name).write_text(
        json.dumps(f(json.loads((copied / name).read_text()))))
    digests = lambda c: {**c, "accumulated": {**c["accumulated"], "nfc/1": "00" * 32}}
    for name, harm in [
            ("unknown file", lambda: (copied / "more.json").write_text("{}")),
            ("missing file", lambda: (copied / "keys.json").unlink()),
            ("no cases", edit(lambda c: {**c, "cases": []})),
            ("no source", edit(lambda c: {**c, "source": ""})),
            ("unknown member", edit(lambda c: {**c, "more": 1})),
            ("another digest", edit(digests, "blind-index.json")),
            ("no digests", edit(lambda c: {k: c[k] for k in ("source", "cases")},
                                "blind-index.json")),
            ("not JSON", lambda: (copied / "keys.json").write_text("{"))]:
        code, output = harmed(harm)
        if code != 1 or "FAILED" not in output or "Traceback" in output:
            yield f"cases, {name}: exit {code}, {output}"
    if harmed(lambda: None)[0] != 0:
        yield "cases, unchanged: does not pass"
    for name, text in make.all_texts().items():
        if (folder / name).read_bytes() != text.encode("ascii"):
            yield f"{name} is not what `check.py make` makes"
    print("files: 9 runs, and `make` repeats itself")


def run(folder, server=None):
    """`server` is the URL of a database on a server; then only stores in it are tested."""
    with tempfile.TemporaryDirectory() as name:
        temporary = Path(name)
        complaints = list(test_server(server, temporary)) if server else [
            *test_stores(folder, temporary), *test_sealed_files(folder, temporary),
            *test_members(folder), *test_files(folder, temporary)]
    for complaint in complaints:
        print(f"FAILED {complaint}")
    print("FAILED" if complaints else "ok: the checker finds what it should")
    return not complaints
