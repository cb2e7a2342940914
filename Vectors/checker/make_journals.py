"""The cases of sealed-log.json that are about the rollback journal."""

from dataclasses import replace

from . import journal, pages
from .case import to_parts
from .journal import ALL, SECTOR, Segment
from .labels import bytes_for, flip
from .make_header import FIRST, GONE, NEXT, OFF, OTHER_STORE, SECOND, STORE, file_key
from .make_logs import FILE_KEYS, SIZE
from .make_pages import KEYS
from .primitives import sha256, u32, xaes_seal

RECORD = SIZE + 8
FOUND = ("keyID", "nonce", "tag", "journalID", "count", "checksumSeed", "databaseSize", "aad",
         "headers", "records")


def segment(offset=0, count=2, label="journal"):
    return Segment(offset, count, int.from_bytes(bytes_for(f"{label} seed {offset}", 4), "big"), 12,
                   bytes_for(f"{label} id {offset}", 16))


def header_bytes(one, key_id=FIRST, page_size=SIZE, store=STORE, **more):
    return journal.build_header(store, key_id, file_key(key_id), bytes_for(
        f"journal header nonce {key_id} {one.offset} {one.journal_id.hex()}", 24), page_size, one,
        **more)


def tagged(data):
    """A first header that was changed, with the tag that it should have."""
    made = xaes_seal(file_key(FIRST), data[456:480], b"", journal.journal_aad(data, STORE, FIRST, 0))
    return data[:440] + made + data[456:]


def refused(good, comment, expect, **changes):
    kept = {name: value for name, value in good.items() if name not in FOUND}
    return {**kept, **changes, "comment": comment, "expect": expect}


def header(comment, one, key_id=FIRST, page_size=SIZE):
    data = header_bytes(one, key_id, page_size)
    return {"comment": f"journal header: {comment}", "expect": "opens", "kind": "journalHeader",
            "storeID": STORE, "keys": [row for row in KEYS if row["id"] == key_id],
            "pageSize": page_size, "headerOffset": one.offset, "header": to_parts(data),
            "keyID": key_id, "nonce": data[456:480], "tag": data[440:456],
            "journalID": one.journal_id, "count": one.count, "checksumSeed": one.seed,
            "databaseSize": one.database_size,
            "aad": journal.journal_aad(data, STORE, key_id, one.offset)}


def header_cases():
    first = segment()
    yield header("the first", first)
    yield header("a second one", segment(3072))
    yield header("beyond 4 GiB", segment(2**32 + 512))
    yield header("the count is not yet written", segment(count=0))
    yield header("as many records as the file holds", segment(count=ALL))
    yield header("under an enabled key", first, SECOND)
    yield header("under a pending key", first, NEXT)
    yield header("pages of 65,536 bytes", first, page_size=65536)
    data = header_bytes(first)
    good = {**header("", first), "keys": KEYS}
    case = lambda comment, expect, changed, **more: refused(
        good, f"journal header: {comment}", expect, header=to_parts(changed), **more)
    put = lambda at, value: data[:at] + value + data[at + len(value):]
    yield {**good, "header": to_parts(put(8, u32(3))), "count": 3,
           "comment": "journal header: another count, which nothing authenticates"}
    yield case("nothing", "noJournal", b"")
    yield case("a byte missing", "noJournal", data[:-1])
    yield case("all zeros", "noJournal", bytes(SECTOR))
    yield case("SQLite's header is zeros: the transaction has ended", "noJournal", put(0, bytes(28)))
    yield case("a bit of the magic", "noJournal", flip(data, 394))
    yield case("another page size", "noJournal", header_bytes(first, page_size=2048))
    for comment, at, value in [("page size", 404, 2048), ("SQLite's page size", 24, 2048),
                               ("sector size", 20, 4096)]:
        yield case(f"authentic, with another {comment}", "noJournal", tagged(put(at, u32(value))))
    yield case("another magic and a newer version", "noJournal",
               flip(header_bytes(first, version=3), 394))
    yield case("another magic and another store", "noJournal",
               flip(header_bytes(first, store=OTHER_STORE), 394))
    for comment, at in [("SQLite's magic", 7), ("SQLite's nonce", 15), ("database size", 19),
                        ("sector size", 22), ("SQLite's page size", 26),
                        ("first byte that should be zero", 28), ("another that should be", 383),
                        ("journal id", 424), ("tag", 440), ("nonce", 479),
                        ("first byte behind the key id", 484), ("last byte", 511)]:
        yield case(f"{comment} changed", "noJournal", flip(data, at))
    yield case("at another offset", "noJournal", data, headerOffset=512)
    yield case("key id of another enabled key", "noJournal", put(480, u32(SECOND)))
    yield case("key id 0", "noJournal", put(480, u32(0)))
    yield case("key id of no key", "unknownKey", put(480, u32(FIRST + 1)))
    yield case("key id of a destroyed key", "destroyedKey", put(480, u32(GONE)))
    yield case("under a disabled key", "disabledKey", header_bytes(first, OFF))
    yield case("another store's", "otherStore", header_bytes(first, store=OTHER_STORE))
    yield case("another store", "otherStore", data, storeID=OTHER_STORE)
    yield case("a newer version", "newerFormat", header_bytes(first, version=3))


class Writer:
    """Writes headers and records one behind the other, as a store does."""

    def __init__(self, label):
        self.label, self.data, self.records, self.headers = label, b"", [], 0

    def begin(self, count):
        self.data += bytes(-len(self.data) % SECTOR)
        self.now = segment(len(self.data), count, self.label)
        self.data += header_bytes(self.now)
        self.headers += 1
        return self

    def add(self, page, key_id=FIRST, harm=0):
        """`harm` is added to SQLite's seed: a defective writer's checksum."""
        at = len(self.data)
        content = bytes_for(f"{self.label} record {at}", SIZE - pages.TAIL)
        sealed_by = replace(self.now, seed=self.now.seed + harm & ALL)
        self.data += journal.build_record(
            FILE_KEYS, key_id, bytes_for(f"{self.label} record nonce {at}", 24), page, content,
            sealed_by, at)
        self.records.append({"recordOffset": at, "page": page, "keyID": key_id,
                             "contentSHA256": sha256(content)})
        return self


def journal_case(comment, made, data=None, count=None, headers=None, keys=KEYS):
    return {"comment": f"journal: {comment}", "expect": "opens", "kind": "journal",
            "storeID": STORE, "keys": keys, "pageSize": SIZE,
            "journal": to_parts(made.data if data is None else data), "databaseSize": 12,
            "headers": made.headers if headers is None else headers,
            "records": made.records[:count]}


def whole_cases():
    made = Writer("journal plain").begin(2).add(2).add(1)
    yield journal_case("a header and two records", made,
                       keys=[row for row in KEYS if row["id"] == FIRST])
    yield journal_case("no record", Writer("journal empty").begin(0))
    made = Writer("journal twice").begin(1).add(2).begin(1).add(1)
    yield journal_case("two headers, each at a multiple of 512", made)
    made = Writer("journal open").begin(ALL).add(2, SECOND).add(1)
    yield journal_case("as many records as the file holds; one under an enabled key", made)
    yield journal_case("as many records as the file holds: the last is cut", made, made.data[:-1], 1)
    made = Writer("journal unsynced").begin(1).add(2).begin(0).add(1)
    yield journal_case("a record that the second header does not yet count", made, count=1)


def ending_cases():
    made = Writer("journal ending").begin(2).add(2).add(1).begin(1).add(3)
    data, at = made.data, SECTOR + RECORD
    put = lambda where, value: data[:where] + value + data[where + len(value):]
    case = lambda comment, changed, count=1, headers=1: journal_case(
        comment, made, changed, count, headers)
    yield case("a record changed", flip(data, at + 40))
    yield case("a record's page number changed", flip(data, at + 3))
    yield case("a record's page number 0", put(at, u32(0)))
    yield case("two records exchanged", data[:SECTOR] + data[at:at + RECORD]
               + data[SECTOR:at] + data[at + RECORD:], 0)
    unknown = journal_case("a record's key id is of no key", made, put(at + 4 + 1008, u32(FIRST + 1)))
    yield {name: value for name, value in unknown.items()
           if name not in ("databaseSize", "headers", "records")} | {"expect": "unknownKey"}
    yield case("the bytes where SQLite's checksum was are not read",
               put(at + 4 + SIZE, b"\xff" * 4), 3, 2)
    second = made.records[2]["recordOffset"] - SECTOR
    yield case("the second header changed", flip(data, second + 19), 2)
    yield case("the second header of zeros", put(second, bytes(28)), 2)
    yield case("the second header is cut", data[:second + 511], 2)
    yield case("cut within the second record", data[:at + 500])
    other = Writer("journal defective").begin(2).add(2).add(1, harm=1)
    yield journal_case("authentic, but its checksum is not that of SQLite", other, count=1)
    lock = Writer("journal lock").begin(2).add(2).add(pages.lock_byte_page(SIZE))
    yield journal_case("the page of the lock byte", lock, count=1)
    none = Writer("journal page 0").begin(2).add(2).add(0)
    yield journal_case("authentic, of page number 0", none, count=1)
    bad = lambda comment, expect, changed: refused(
        journal_case("", made), f"journal: {comment}", expect, journal=to_parts(changed))
    yield bad("a file of no bytes", "noJournal", b"")
    yield bad("its first header is zeros: the transaction has ended", "noJournal", put(0, bytes(28)))
    yield bad("its first header changed", "noJournal", flip(data, 430))
    yield bad("another store's", "otherStore", put(408, OTHER_STORE))
    yield bad("a newer version", "newerFormat", put(400, u32(3)))
    yield bad("a second header of another store", "otherStore", put(second + 408, OTHER_STORE))


def cases():
    for group in (header_cases, whole_cases, ending_cases):
        yield from group()
