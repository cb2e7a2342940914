"""The cases of sealed-rekey.json."""

from . import pages, rekey
from .case import to_parts
from .labels import bytes_for, flip
from .make_header import FIRST, GONE, NEXT, OFF, OTHER_STORE, SECOND, STORE, file_key
from .make_logs import FILE_KEYS, SIZE
from .make_pages import KEYS
from .primitives import sha256, u32

RECORD = 4 + SIZE
FOUND = ("keyID", "nonce", "tag", "aad", "count", "records")


def content_of(page):
    return bytes_for(f"rekey content {page}", SIZE - pages.TAIL)


def record(page, key_id=FIRST):
    return rekey.build_record(FILE_KEYS, key_id, bytes_for(f"rekey page nonce {page} {key_id}", 24),
                              page, content_of(page))


def journal(numbers, key_id=FIRST, *, count=None, store=STORE, page_size=SIZE, **more):
    records = b"".join(record(page, key_id) for page in numbers)
    return rekey.build(store, key_id, file_key(key_id),
                       bytes_for(f"rekey nonce {key_id} {numbers}", 24), page_size,
                       len(numbers) if count is None else count, records, **more)


def opens(comment, data, numbers, key_id=FIRST, keys=KEYS):
    count = int.from_bytes(data[40:44], "big")
    records = data[rekey.HEADER:rekey.HEADER + count * RECORD]
    return {"comment": comment, "expect": "opens", "kind": "rekey", "storeID": STORE, "keys": keys,
            "pageSize": SIZE, "journal": to_parts(data), "keyID": key_id, "nonce": data[64:88],
            "tag": data[48:64], "count": count,
            "aad": rekey.rekey_aad(data, STORE, key_id, records, SIZE),
            "records": [{"page": page, "keyID": key_id, "contentSHA256": sha256(content_of(page))}
                        for page in numbers]}


def refused(comment, expect, data):
    good = opens("", journal([3, 1]), [3, 1])
    kept = {name: value for name, value in good.items() if name not in FOUND}
    return {**kept, "comment": comment, "expect": expect, "journal": to_parts(data)}


def whole_cases():
    yield opens("one page", journal([7]), [7], keys=[row for row in KEYS if row["id"] == FIRST])
    data = journal([3, 1])
    yield opens("two pages, in any order", data, [3, 1])
    yield opens("under an enabled key", journal([2], SECOND), [2], SECOND)
    yield opens("under a pending key", journal([2], NEXT), [2], NEXT)
    yield opens("bytes behind the last record", data + bytes(100), [3, 1])
    lock = pages.lock_byte_page(SIZE)
    yield opens("the page of the lock byte does not count", journal([3, lock]), [3])
    yield opens("page 0 does not count", journal([0, 3]), [3])
    # The tag covers number and tag of a page; what else is in the page is for the page to say.
    torn = flip(data, rekey.HEADER + 100)
    yield opens("a page that does not open does not count", torn, [1])
    gone = data[:rekey.HEADER + 4 + SIZE - 16] + u32(GONE) + data[rekey.HEADER + 4 + SIZE - 12:]
    yield opens("a page under a destroyed key does not count", gone, [1])


def bad_cases():
    data = journal([3, 1])
    put = lambda at, value: data[:at] + value + data[at + len(value):]
    none = lambda comment, changed: refused(comment, "noJournal", changed)
    yield none("nothing", b"")
    yield none("a header that is cut", data[:127])
    yield none("the last record is cut", data[:-1])
    yield none("a bit of the magic", flip(data, 12))
    yield none("another page size", put(20, u32(2048)))
    yield none("another magic and a newer version", flip(put(16, u32(3)), 12))
    yield none("another page size and another store", journal([3], store=OTHER_STORE, page_size=2048))
    yield none("no record", journal([], count=0))
    yield none("more than 4,096 records", put(40, u32(4097)))
    yield none("one record less than there are", put(40, u32(1)))
    for comment, at in [("first byte that should be zero", 44), ("another", 47), ("tag", 48),
                        ("nonce", 64), ("first byte behind the key id", 92), ("last byte", 127),
                        ("page number", rekey.HEADER + 3),
                        ("tag of the last page", len(data) - 56)]:
        yield none(f"{comment} changed", flip(data, at))
    yield none("the two pages exchanged",
               data[:rekey.HEADER] + data[rekey.HEADER + RECORD:]
               + data[rekey.HEADER:rekey.HEADER + RECORD])
    yield none("key id of another enabled key", put(88, u32(SECOND)))
    yield none("key id 0", put(88, u32(0)))
    yield none("key id of no key", put(88, u32(FIRST + 1)))
    yield none("key id of a destroyed key", put(88, u32(GONE)))
    yield none("under a disabled key", journal([3, 1], OFF))
    yield refused("another store's", "otherStore", journal([3, 1], store=OTHER_STORE))
    yield refused("a newer version", "newerFormat", journal([3, 1], version=3))


def cases():
    yield from whole_cases()
    yield from bad_cases()
