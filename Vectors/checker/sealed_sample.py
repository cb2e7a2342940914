"""Makes sealed files out of databases, logs and rollback journals that SQLite itself wrote: SQLite's
checksums in them are not ours, so that they prove the checker's."""

import sqlite3
from dataclasses import dataclass, field, replace

from . import header as head
from . import journal, keys, log, pages, rekey
from .envelope import DESTROYED, DISABLED, ENABLED, PRIMARY
from .labels import bytes_for
from .primitives import u32
from .selftest_store import SECRET, STORE, STORE_KEY, fill

SIZE, SEQUENCE = 1024, 4
CURRENT, BEFORE, OFF, GONE = 0x90000100, 0x100, 0x101, 0x102
STATES = {CURRENT: PRIMARY, BEFORE: ENABLED, OFF: DISABLED, GONE: DESTROYED}
FILE_KEYS = pages.FileKeys(STORE, {key_id: (state, bytes_for(f"sample file key {key_id}", 32))
                                   for key_id, state in STATES.items()})


@dataclass
class Sample:
    """The bytes of the four files; what a harm is done to."""
    main: bytes
    log: bytes = b""
    journal: bytes = b""
    rekey: bytes = b""


@dataclass
class Sealer:
    """Seals what SQLite wrote. `drawn` counts the nonces, so that none comes twice."""
    store_id: bytes = STORE
    key_id: int = CURRENT
    label: str = "sample"
    drawn: list = field(default_factory=list)

    def nonce(self):
        self.drawn.append(None)
        return bytes_for(f"{self.label} nonce {len(self.drawn)}", 24)

    @property
    def key(self):
        return FILE_KEYS.keys[self.key_id][1]

    def page(self, plain, place, checksum=bytes(8)):
        assert not any(plain[-pages.TAIL:]), "SQLite wrote to the bytes that it keeps free"
        return pages.seal_page(self.store_id, self.key_id, self.key, self.nonce(),
                               plain[:-pages.TAIL], checksum, place)

    def main(self, plain, header):
        """Page 2 is under the key before, as after a rotation that is not done."""
        out = header * 2
        for number in range(1, len(plain) // SIZE + 1):
            sealer = replace(self, key_id=BEFORE) if number == 2 else self
            out += sealer.page(plain[(number - 1) * SIZE:number * SIZE], pages.main_place(number))
        return out

    def log(self, plain, committed, **more):
        """`plain` is a log of SQLite's, of which `committed` bytes are committed."""
        own, keys_here = plain[:32], replace(FILE_KEYS, store_id=self.store_id)
        out = log.build_header(self.store_id, self.key_id, self.key, self.nonce(), SIZE, own, **more)
        read = log.read_sqlite_header(own, SIZE)
        sums, step = read.sums, log.FRAME + SIZE
        for number, at in enumerate(range(32, len(plain) - step + 1, step), 1):
            start, page = plain[at:at + log.FRAME], plain[at + log.FRAME:at + step]
            if start[8:16] != read.salts:
                break
            assert not any(page[-pages.TAIL:])
            made, sums = log.build_frame(
                keys_here, self.key_id, self.nonce(), int.from_bytes(start[:4], "big"),
                int.from_bytes(start[4:8], "big"), page[:-pages.TAIL], number, read, sums)
            # Behind the last commit SQLite rewrites pages and mends their sums later.
            assert log.sums_bytes(sums) == start[16:] or at >= committed, "not SQLite's checksum"
            out += made
        return out

    def rekey(self, main, numbers, **more):
        """The journal of a rekey that holds some pages of a sealed main file as they are there."""
        at = lambda number: pages.offset_of(number, SIZE)
        records = b"".join(u32(number) + main[at(number):at(number) + SIZE] for number in numbers)
        return rekey.build(self.store_id, self.key_id, self.key, self.nonce(), SIZE, len(numbers),
                           records, **more)

    def journal(self, plain, **more):
        """`plain` is a rollback journal of SQLite's, of sectors of 512 bytes."""
        out, at = b"", 0
        while plain[at:at + 8] == journal.SQLITE_MAGIC:
            count, seed, size, sector = (int.from_bytes(plain[at + n:at + n + 4], "big")
                                         for n in (8, 12, 16, 20))
            assert sector == journal.SECTOR
            segment = journal.Segment(at, count, seed, size, bytes_for(f"{self.label} {at}", 16))
            out = out.ljust(at, b"\0") + journal.build_header(
                self.store_id, self.key_id, self.key, self.nonce(), SIZE, segment, **more)
            at += journal.SECTOR
            for _ in range(count):
                page = plain[at + 4:at + 4 + SIZE]
                made = u32_at(plain, at + 4 + SIZE)
                assert made == journal.page_sum(seed, page[:-pages.TAIL]), "not SQLite's checksum"
                out += journal.build_record(
                    replace(FILE_KEYS, store_id=self.store_id), self.key_id, self.nonce(),
                    u32_at(plain, at), page[:-pages.TAIL], segment, at)
                at += SIZE + 8
            at = -(-at // journal.SECTOR) * journal.SECTOR
        return out


def u32_at(data, at):
    return int.from_bytes(data[at:at + 4], "big")


def slots(store_id=STORE, store_key=STORE_KEY):
    slot_key = keys.slot_key_from_secret(SECRET, store_id)
    return [{"id": 3, "kind": "secret", "parameters": "", "sealed": bytes(72)},
            {"id": 5, "kind": "secret", "parameters": "", "sealed": keys.wrap(
                slot_key, bytes_for("sample slot", 24), store_key, keys.slot_aad(store_id, 5))}]


def key_row(key_id, state, store_key=STORE_KEY):
    key = FILE_KEYS.keys[key_id][1]
    row = {"id": key_id, "purpose": head.FILE, "suite": 1, "state": state,
           "created": 1_764_547_200_000, "wrapped": None, "check": None}
    if state != DESTROYED:
        row["wrapped"] = keys.wrap(keys.wrap_key(store_key, STORE),
                                   bytes_for(f"sample wrap {key_id}", 24), key,
                                   keys.data_key_aad(STORE, key_id, head.FILE, 1))
        row["check"] = keys.check_value(key, STORE, key_id)
    return row


def header_copy(store_key=STORE_KEY, former=None, states=STATES, sequence=SEQUENCE):
    """A copy of the header; `former` is the former store key itself."""
    rows = [key_row(key_id, state, store_key) for key_id, state in sorted(states.items())]
    wrapped = former and keys.wrap(keys.wrap_key(store_key, STORE), bytes_for("sample former", 24),
                                   former, head.former_aad(STORE))
    return head.build(head.Header(SIZE, STORE, sequence, wrapped, slots(store_key=store_key), rows),
                      store_key)


def empty_database(path):
    """A database of one page that keeps 64 bytes free: byte 20, and where cells of page 1 begin."""
    db = sqlite3.connect(path, isolation_level=None)
    db.executescript(f"PRAGMA page_size = {SIZE}; PRAGMA user_version = 1; ")
    db.close()
    data = bytearray(path.read_bytes())
    data[20] = pages.TAIL
    data[105:107] = (SIZE - pages.TAIL).to_bytes(2, "big")
    path.write_bytes(data)


def filled(path, harm):
    """A connection to a store of format 2, before it is sealed."""
    empty_database(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    fill(db)
    db.execute("UPDATE nacre_store SET value = 2 WHERE name = 'format'")
    db.execute("INSERT INTO nacre_store VALUES ('headerSequence', ?)", (SEQUENCE,))
    db.execute("DELETE FROM nacre_slot")
    harm(db)
    return db


def with_log(folder, harm, commits, spilled=()):
    """(main file, log, how many bytes of it are committed) as SQLite writes them: `harm` lies in the
    main file, each of `commits` is a transaction in the log, `spilled` is one without its end."""
    path = folder / "plain.db"
    db = filled(path, harm)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("PRAGMA cache_size = 4")
    for commit in commits:
        db.execute("BEGIN")
        commit(db)
        db.execute("COMMIT")
    committed = (folder / "plain.db-wal").stat().st_size
    db.execute("BEGIN")
    for change in spilled:
        change(db)
    found = path.read_bytes(), (folder / "plain.db-wal").read_bytes(), committed
    db.execute("ROLLBACK")
    return close(db, folder, found)


def with_journal(folder, change):
    """(main file, rollback journal) in the middle of a transaction whose pages were spilled."""
    path = folder / "plain.db"
    db = filled(path, lambda db: None)
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute("PRAGMA cache_size = 4")
    db.execute("BEGIN")
    change(db)
    found = path.read_bytes(), (folder / "plain.db-journal").read_bytes()
    db.execute("ROLLBACK")
    return close(db, folder, found)


def close(db, folder, found):
    db.close()
    for path in folder.glob("plain.db*"):
        path.unlink()
    return found
