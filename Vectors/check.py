#!/usr/bin/env python3
"""The independent checker of Nacre's formats. README.md says how to use it."""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # Vectors/ holds only what is checked.

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    cases = verbs.add_parser("cases", help="check every case file")
    cases.add_argument("--million", action="store_true",
                       help="also the accumulated XAES test of 1,000,000 (20 seconds, 600 MB)")
    verbs.add_parser("make", help="write the case files that are Nacre's own again")
    store = verbs.add_parser("store", help="open every sealed value of a store")
    store.add_argument("path", help="the store's file, or the URL of a PostgreSQL server")
    store.add_argument("--key-file", required=True)
    store.add_argument("--reveal", action="store_true", help="print the opened values")
    selftest = verbs.add_parser("selftest", help="prove that the checker finds what it should")
    selftest.add_argument("--server", metavar="URL", help="in stores on a PostgreSQL server alone")
    given = parser.parse_args()

    if given.verb == "cases":
        from checker.cases import check_all
        return check_all(HERE, given.million)
    if given.verb == "make":
        from checker.make import write_all
        return write_all(HERE)
    if given.verb == "store":
        from checker.store import check_store
        return check_store(given.path, given.key_file, given.reveal)
    from checker.selftest import run
    return run(HERE, given.server)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
