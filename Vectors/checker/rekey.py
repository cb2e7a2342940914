"""The journal of a new file key, name-nrekey. SEALED-FILE.md, "Rekey journal"."""

from dataclasses import dataclass

from . import pages
from .header import VERSION, magic
from .primitives import Refused, u32, xaes_open, xaes_seal

HEADER, LIMIT = 128, 4096


class NoJournal(Exception):
    """What is there counts as no journal: nothing was written in place because of it."""


@dataclass
class Record:
    page: int
    content: bytes
    key_id: int
    nonce: bytes


def covered(records, page_size):
    """What the tag covers of the records: number and tag of each page."""
    parts = [records[at:at + 4 + page_size] for at in range(0, len(records), 4 + page_size)]
    return b"".join(part[:4] + pages.tail(part)[0] for part in parts)


def rekey_aad(data, store_id, key_id, records, page_size):
    return (b"nacre/rekey/1" + store_id + u32(key_id) + b"\x01" + data[:48]
            + covered(records, page_size))


def build(store_id, key_id, key, nonce, page_size, count, records, version=VERSION):
    """A whole journal; `records` are numbers and sealed pages."""
    start = magic(b"rkey") + u32(version) + u32(page_size) + store_id + u32(count) + bytes(4)
    tag = xaes_seal(key, nonce, b"", rekey_aad(start, store_id, key_id, records, page_size))
    return start + tag + nonce + u32(key_id) + bytes(36) + records


def build_record(file_keys, key_id, nonce, page, content):
    return u32(page) + pages.seal_page(file_keys.store_id, key_id, file_keys.keys[key_id][1],
                                       nonce, content, bytes(8), pages.main_place(page))


def read(data, file_keys, page_size):
    """(count, the Records that count); raises NoJournal where a reader goes on without one."""
    if len(data) < HEADER or data[:16] != magic(b"rkey"):
        raise NoJournal("less than a header, or no magic")
    if data[16:20] != u32(VERSION):
        raise Refused("newerFormat", "the rekey journal")
    if data[20:24] != u32(page_size):
        raise NoJournal("another page size")
    if data[24:40] != file_keys.store_id:
        raise Refused("otherStore", "the rekey journal")
    count, key_id = (int.from_bytes(data[at:at + 4], "big") for at in (40, 88))
    end = HEADER + count * (4 + page_size)
    if not 1 <= count <= LIMIT or len(data) < end:
        raise NoJournal("no record, too many, or one that is cut")
    if key_id == 0 or any(data[44:48]) or any(data[92:HEADER]):
        raise NoJournal("key id 0, or bytes that should be zero")
    records = data[HEADER:end]
    try:
        xaes_open(file_keys.key(key_id), data[64:88], data[48:64],
                  rekey_aad(data, file_keys.store_id, key_id, records, page_size))
    except Refused:
        raise NoJournal("its key is gone, or its tag is wrong") from None
    found = (read_record(records[at:at + 4 + page_size], file_keys, page_size)
             for at in range(0, len(records), 4 + page_size))
    return count, [record for record in found if record]


def read_record(data, file_keys, page_size):
    """The Record, or None for one that does not count."""
    page, sealed = int.from_bytes(data[:4], "big"), data[4:]
    if page in (0, pages.lock_byte_page(page_size)):
        return None
    try:
        content, _ = pages.open_page(file_keys, sealed, pages.main_place(page))
    except Refused:
        return None
    _, nonce, key_id, _ = pages.tail(sealed)
    return Record(page, content, key_id, nonce)
