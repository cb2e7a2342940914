"""The works of one subject in a process of its own; the only thing that differs is how a connection is made."""

import ctypes
import json
import random
import sys
import time
from pathlib import Path

# What a store of Nacre's sets, for every subject. Nacre's own connections keep changed pages in memory, too.
SETTINGS = "PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_spill = OFF"
TABLE = """
    CREATE TABLE IF NOT EXISTS Sample (objectID BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL, color TEXT,
    power INTEGER NOT NULL, weight REAL NOT NULL, year INTEGER NOT NULL) WITHOUT ROWID
    """
INSERT = "INSERT INTO Sample VALUES (?, ?, ?, ?, ?, ?)"
FETCH = "SELECT * FROM Sample WHERE objectID = ?"
COLORS = ["red", "white", "black", "silver", "british racing green", None]


def plain(file, library):
    """SQLite as this Python has it."""
    import sqlite3
    return lambda: sqlite3.connect(file, isolation_level=None)


def sealed(file, library):
    """The same, with the file system of sealed files."""
    import sqlite3
    seal = ctypes.CDLL(library).nacre_bench_sealed_file
    seal.argtypes, seal.restype = [ctypes.c_char_p], ctypes.c_char_p
    uri = seal(str(file).encode())
    if uri is None:
        sys.exit("the sealed file can't be made")

    def connect():
        connection = sqlite3.connect(uri.decode(), uri=True, isolation_level=None)
        # The usual cache of Nacre's connections to a sealed file, and of SQLCipher's.
        connection.execute("PRAGMA cache_size = -8000")
        return connection
    return connect


def sqlcipher(file, library):
    """SQLCipher with a key that it need not derive from a passphrase."""
    from sqlcipher3 import dbapi2

    def connect():
        connection = dbapi2.connect(str(file), isolation_level=None)
        connection.execute(f"PRAGMA key = \"x'{'5a' * 32}'\"")
        return connection
    return connect


def unkeyed(file, library):
    """SQLCipher without a key: the SQLite that it is made of."""
    from sqlcipher3 import dbapi2
    return lambda: dbapi2.connect(str(file), isolation_level=None)


SUBJECTS = {"plain": plain, "sealed": sealed, "sqlcipher": sqlcipher, "sqlcipher without a key": unkeyed}


def rows(count, seed):
    """Rows as those of the other benchmarks, with ids that ascend as Nacre's do."""
    numbers = random.Random(seed)
    return [
        ((1_770_000_000_000 * seed + number).to_bytes(6, "big") + b"\x70" + numbers.randbytes(9),
         f"Car number {number}", COLORS[number % 6], numbers.randrange(60, 460), numbers.randrange(20_000) / 8,
         numbers.randrange(1950, 2025))
        for number in range(count)
    ]


class Loop:
    def __init__(self, connect, count):
        self.connect = connect
        self.rows = rows(count, 1)
        self.more = rows(min(count, 2_000), 2)
        self.ids = [row[0] for row in self.rows]
        random.Random(3).shuffle(self.ids)
        self.ids = self.ids[:20_000]
        self.times = {}
        self.connection = None
        self.open()
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute(TABLE)

    def open(self, cache=None):
        """Opens the file anew, with no page in the cache."""
        if self.connection:
            self.connection.close()
        self.connection = self.connect()
        for setting in SETTINGS.split(";"):
            self.connection.execute(setting)
        if cache:
            self.connection.execute(f"PRAGMA cache_size = -{cache}")
        self.connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()

    def time(self, name, operations, work):
        """Notes microseconds an operation."""
        begun = time.perf_counter()
        done = work()
        self.times[name] = (time.perf_counter() - begun) / operations * 1e6
        if done != operations:
            sys.exit(f"{name}: {done} instead of {operations}")

    def run(self):
        self.time("insert in one transaction", len(self.rows), self.insert)
        self.open()
        self.time("scan with a cold cache", len(self.rows), self.scan)
        for name, cache in [("a cache of 2 MB", 2_000), ("the usual cache", None), ("a cache of 64 MB", 64_000)]:
            self.open(cache)
            # The first time fills the cache.
            self.fetch()
            self.time(f"fetch by id, {name}", len(self.ids), self.fetch)
        self.open()
        self.time("a transaction of one row", len(self.more), self.commit)
        self.connection.close()
        return self.times

    # Works; each gives how much it did.

    def insert(self):
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany(INSERT, self.rows)
        self.connection.execute("COMMIT")
        return len(self.rows)

    def commit(self):
        for row in self.more:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute(INSERT, row)
            self.connection.execute("COMMIT")
        return len(self.more)

    def scan(self):
        count, power = self.connection.execute("SELECT count(*), sum(power) FROM Sample").fetchone()
        return count if power == sum(row[3] for row in self.rows) else 0

    def fetch(self):
        execute = self.connection.execute
        return sum(execute(FETCH, (key,)).fetchone() is not None for key in self.ids)


if __name__ == "__main__":
    subject, folder, count, library = sys.argv[1:]
    loop = Loop(SUBJECTS[subject](Path(folder) / "sample.db", library), int(count))
    print(json.dumps(loop.run()))
