"""The cases of sealed-log.json that are about the log."""

from . import log, pages
from .case import to_parts
from .labels import bytes_for, flip
from .make_header import FIRST, GONE, NEXT, OFF, OTHER_STORE, SECOND, STORE, file_key
from .make_pages import KEYS, SALTS, STATES
from .primitives import sha256, u32

SIZE = 1024
FILE_KEYS = pages.FileKeys(STORE, {
    key_id: (state, file_key(key_id)) for key_id, state in STATES.items()})
FOUND = ("keyID", "nonce", "tag", "salts", "order", "aad", "committed", "frames")


def refused(good, comment, expect, **changes):
    kept = {name: value for name, value in good.items() if name not in FOUND}
    return {**kept, **changes, "comment": comment, "expect": expect}


def header_bytes(own, key_id=FIRST, page_size=SIZE, store=STORE, **more):
    return log.build_header(store, key_id, file_key(key_id),
                            bytes_for(f"log header nonce {key_id} {own.hex()}", 24), page_size, own,
                            **more)


def header(comment, own, order, key_id=FIRST, page_size=SIZE):
    data = header_bytes(own, key_id, page_size)
    return {"comment": f"log header: {comment}", "expect": "opens", "kind": "logHeader",
            "storeID": STORE, "keys": [row for row in KEYS if row["id"] == key_id],
            "pageSize": page_size, "log": data.hex(), "keyID": key_id, "nonce": data[56:80],
            "tag": data[40:56], "salts": own[16:24], "order": order,
            "aad": log.log_aad(data, STORE, key_id)}


def header_cases():
    big, little = (log.sqlite_header(SIZE, SALTS, order, 7) for order in ("big", "little"))
    yield header("sums by big-endian words, magic 0x377f0683", big, "big")
    yield header("sums by little-endian words, magic 0x377f0682", little, "little")
    yield header("under an enabled key", big, "big", SECOND)
    yield header("under a pending key", big, "big", NEXT)
    yield header("pages of 65,536 bytes", log.sqlite_header(65536, SALTS, "little"), "little",
                 page_size=65536)
    good = {**header("", big, "big"), "keys": KEYS}
    data = bytes.fromhex(good["log"])
    case = lambda comment, expect, changed, **more: refused(
        good, f"log header: {comment}", expect, log=to_parts(changed), **more)
    put = lambda at, value: data[:at] + value + data[at + len(value):]
    yield case("nothing", "noLog", b"")
    yield case("a byte missing", "noLog", data[:-1])
    yield case("all zeros", "noLog", bytes(128))
    yield case("a bit of the magic", "noLog", flip(data, 11))
    yield case("another page size", "noLog", header_bytes(
        log.sqlite_header(2048, SALTS, "big"), page_size=2048))
    yield case("another page size before SQLite's header alone", "noLog",
               header_bytes(big, page_size=2048))
    yield case("another magic and a newer version", "noLog", flip(header_bytes(big, version=3), 11))
    yield case("another magic and another store", "noLog",
               flip(header_bytes(big, store=OTHER_STORE), 11))
    yield case("the rest of it is torn", "noLog", data[:56] + bytes(72))
    for comment, at in [("salts", 112), ("salts, the last byte", 119), ("checkpoint number", 111),
                        ("sums", 127), ("tag", 55), ("nonce", 56), ("bytes that should be zero", 84),
                        ("SQLite's magic", 99)]:
        yield case(f"{comment} changed", "noLog", flip(data, at))
    yield case("key id of another enabled key", "noLog", put(80, u32(SECOND)))
    yield case("key id 0", "noLog", put(80, u32(0)))
    yield case("key id of no key", "unknownKey", put(80, u32(FIRST + 1)))
    yield case("key id of a destroyed key", "destroyedKey", put(80, u32(GONE)))
    yield case("under a disabled key", "disabledKey", header_bytes(big, OFF))
    yield case("another store's", "otherStore", header_bytes(big, store=OTHER_STORE))
    yield case("another store", "otherStore", data, storeID=OTHER_STORE)
    yield case("a newer version", "newerFormat", header_bytes(big, version=3))
    yield case("a newer version of another store", "newerFormat",
               header_bytes(big, store=OTHER_STORE, version=3))
    for comment, own in [
            ("SQLite's magic", u32(0x377F0684) + big[4:]),
            ("SQLite's version", big[:4] + u32(3_007_001) + big[8:]),
            ("SQLite's page size", log.sqlite_header(2048, SALTS, "big")),
            ("SQLite's sums", flip(big, 31)), ("sums by the other order", little[:24] + big[24:])]:
        yield case(f"authentic, but not a header that SQLite takes: {comment}", "noLog",
                   header_bytes(own))


class Writer:
    """Writes frames one behind the other, as a store does."""

    def __init__(self, label, order="big", salts=SALTS):
        self.label = label
        own = log.sqlite_header(SIZE, salts, order)
        self.data, self.frames = header_bytes(own), []
        self.log = log.read_sqlite_header(own, SIZE)
        self.sums = self.log.sums

    def add(self, page, database_size, key_id=FIRST, harm=None):
        """`harm` is done to the sums before they are sealed: a defective writer's."""
        number = len(self.frames) + 1
        content = bytes_for(f"{self.label} frame {number}", SIZE - pages.TAIL)
        made, self.sums = log.build_frame(
            FILE_KEYS, key_id, bytes_for(f"{self.label} frame nonce {number}", 24), page,
            database_size, content, number, self.log, harm or self.sums)
        self.data += made
        self.frames.append({"page": page, "databaseSize": database_size, "keyID": key_id,
                            "contentSHA256": sha256(content)})
        return self


def three(label, order="big", **more):
    """Two frames that are a transaction, and one that was not committed."""
    return Writer(label, order, **more).add(2, 0).add(1, 3).add(3, 0)


def log_case(comment, data, frames, committed, keys=KEYS):
    return {"comment": f"log: {comment}", "expect": "opens", "kind": "log", "storeID": STORE,
            "keys": keys, "pageSize": SIZE, "log": to_parts(data), "committed": committed,
            "frames": frames}


def frame_at(number):
    return log.HEADER + (number - 1) * (log.FRAME + SIZE)


def whole_cases():
    for order in ("big", "little"):
        made = three(f"log {order}", order)
        yield log_case(f"a transaction of two frames and a frame of the next, {order}-endian sums",
                       made.data, made.frames, 2, [row for row in KEYS if row["id"] == FIRST])
    yield log_case("no frame", made.data[:128], [], 0)
    made = Writer("log twice").add(2, 2).add(2, 2).add(1, 2)
    yield log_case("three transactions, one page twice", made.data, made.frames, 3)
    made = Writer("log rotated").add(2, 0, SECOND).add(1, 2)
    yield log_case("a key that is no longer the primary one", made.data, made.frames, 2)
    older = Writer("log before", salts=bytes_for("log salts before", 8)).add(2, 0).add(1, 2)
    newer = Writer("log restarted").add(1, 2)
    yield log_case("begun again: behind its end lie frames of earlier salts",
                   newer.data + older.data[frame_at(2):], newer.frames, 1)


def ending_cases():
    made = three("log ending")
    data, frames = made.data, made.frames
    second = frame_at(2)
    put = lambda at, value: data[:at] + value + data[at + len(value):]
    case = lambda comment, changed, count=1, committed=0: log_case(
        comment, changed, frames[:count], committed)
    yield case("the last frame is cut by a byte", data[:-1], 2, 2)
    yield case("the last frame's header alone", data[:frame_at(3) + 24], 2, 2)
    yield case("the last frame is zeros", data[:frame_at(3)] + bytes(log.FRAME + SIZE), 2, 2)
    yield case("the second frame changed: nothing is committed", flip(data, second + 30))
    yield case("the second frame's page number changed", flip(data, second + 3))
    yield case("the second frame's page number 0", put(second, u32(0)))
    yield case("the second frame's database size changed", flip(data, second + 7))
    yield case("the second frame's salts changed", flip(data, second + 8))
    yield case("key id 0 in the second frame", put(second + 24 + 1008, u32(0)))
    yield case("the first frame made a commit: nothing counts", flip(data, frame_at(1) + 7), 0)
    yield case("the first two frames exchanged", data[:128] + data[second:frame_at(3)]
               + data[128:second] + data[frame_at(3):], 0)
    yield case("the second frame is missing", data[:second] + data[frame_at(3):])
    yield case("sums in the frames' headers are not read",
               put(second + 16, b"\xff" * 8), 3, 2)
    other = Writer("log defective").add(2, 1).add(1, 2, harm=(1, 2))
    yield log_case("authentic, but its sums are not those of SQLite", other.data, other.frames[:1], 1)
    bad = lambda comment, expect, changed: refused(
        log_case("", data, [], 0), f"log: {comment}", expect, log=to_parts(changed))
    key_at = second + 24 + 1008
    yield bad("a frame under an unknown key", "unknownKey", put(key_at, u32(FIRST + 1)))
    yield case("a frame under an unknown key, and other salts: the end of the log",
               flip(put(key_at, u32(FIRST + 1)), second + 8))
    yield case("a frame under an unknown key, and page number 0: the end of the log",
               put(key_at, u32(FIRST + 1))[:second] + bytes(4)
               + put(key_at, u32(FIRST + 1))[second + 4:])
    yield bad("a frame under a destroyed key", "destroyedKey", put(key_at, u32(GONE)))
    yield bad("a frame under a disabled key", "disabledKey",
              Writer("log disabled").add(2, 0).add(1, 3, OFF).data)
    yield bad("salts changed in its header", "noLog", flip(data, 112))
    yield bad("another store's", "otherStore", data[:24] + OTHER_STORE + data[40:])
    yield bad("a newer version", "newerFormat", put(16, u32(3)))


def cases():
    for group in (header_cases, whole_cases, ending_cases):
        yield from group()
