"""The rollback journal of a sealed file, name-njournal. SEALED-FILE.md, "Rollback journal"."""

from dataclasses import dataclass

from . import pages
from .header import VERSION, magic
from .primitives import Refused, u32, u64, xaes_open, xaes_seal

SECTOR, OWN, OURS = 512, 28, 384
SQLITE_MAGIC = bytes.fromhex("d9d505f920a163d7")
ALL = 0xFFFFFFFF


class NoHeader(Exception):
    """The journal ends here."""


@dataclass
class Segment:
    """A header of the journal: where it is, and what it says."""
    offset: int
    count: int
    seed: int
    database_size: int
    journal_id: bytes


@dataclass
class Record:
    offset: int
    page: int
    content: bytes
    key_id: int
    nonce: bytes


def journal_aad(data, store_id, key_id, offset):
    return (b"nacre/rollback/1" + store_id + u32(key_id) + b"\x01" + data[OURS:440] + u64(offset)
            + data[12:OWN])


def build_header(store_id, key_id, key, nonce, page_size, segment, version=VERSION):
    """The 512 bytes of a header."""
    own = SQLITE_MAGIC + u32(segment.count) + u32(segment.seed) + u32(segment.database_size)
    own = (own + u32(SECTOR) + u32(page_size)).ljust(OURS, b"\0")
    own += magic(b"rbjl") + u32(version) + u32(page_size) + store_id + segment.journal_id
    whole = own + bytes(16) + nonce + u32(key_id) + bytes(28)
    tag = xaes_seal(key, nonce, b"", journal_aad(whole, store_id, key_id, segment.offset))
    return whole[:440] + tag + whole[456:]


def page_sum(seed, content):
    """SQLite's checksum of a record: every 200th byte of the page, counted from its end."""
    page = content + bytes(pages.TAIL)
    return seed + sum(page[at] for at in range(len(page) - 200, 0, -200)) & ALL


def build_record(file_keys, key_id, nonce, page, content, segment, offset):
    checksum = u32(page_sum(segment.seed, content)) + bytes(4)
    place = pages.journal_place(page, segment.journal_id, offset)
    return u32(page) + pages.seal_page(file_keys.store_id, key_id, file_keys.keys[key_id][1],
                                       nonce, content, checksum, place) + bytes(4)


def read_header(data, offset, file_keys, page_size):
    """The Segment of a header's 512 bytes that lie at `offset`; raises NoHeader where none counts."""
    if len(data) < SECTOR or data[:8] != SQLITE_MAGIC or data[OURS:OURS + 16] != magic(b"rbjl"):
        raise NoHeader("less than a header, or no magic")
    if data[400:404] != u32(VERSION):
        raise Refused("newerFormat", "the rollback journal")
    if data[404:408] != u32(page_size) or data[20:28] != u32(SECTOR) + u32(page_size):
        raise NoHeader("another page size or sector size")
    if data[408:424] != file_keys.store_id:
        raise Refused("otherStore", "the rollback journal")
    key_id = int.from_bytes(data[480:484], "big")
    if key_id == 0 or any(data[OWN:OURS]) or any(data[484:SECTOR]):
        raise NoHeader("key id 0, or bytes that should be zero")
    key = file_keys.key(key_id)
    try:
        xaes_open(key, data[456:480], data[440:456],
                  journal_aad(data, file_keys.store_id, key_id, offset))
    except Refused:
        raise NoHeader("the tag of a header is wrong") from None
    count, seed, size = (int.from_bytes(data[at:at + 4], "big") for at in (8, 12, 16))
    return Segment(offset, count, seed, size, data[424:440])


def read_record(data, offset, file_keys, segment, page_size):
    """The Record at `offset`, or None where the journal ends; raises unknownKey."""
    if offset + page_size + 8 > len(data):
        return None
    page = int.from_bytes(data[offset:offset + 4], "big")
    sealed = data[offset + 4:offset + 4 + page_size]
    if page in (0, pages.lock_byte_page(page_size)):
        return None
    try:
        content, checksum = pages.open_page(
            file_keys, sealed, pages.journal_place(page, segment.journal_id, offset))
    except Refused as refused:
        if refused.kind == "authenticationFailed":
            return None
        raise
    if checksum != u32(page_sum(segment.seed, content)) + bytes(4):
        return None
    _, nonce, key_id, _ = pages.tail(sealed)
    return Record(offset, page, content, key_id, nonce)


def read(data, file_keys, page_size):
    """(Segments, Records in the order of the file): what a rollback puts back."""
    segments, records, at = [], [], 0
    while True:
        try:
            segment = read_header(data[at:at + SECTOR], at, file_keys, page_size)
        except NoHeader:
            return segments, records
        segments.append(segment)
        at += SECTOR
        count = (len(data) - at) // (page_size + 8) if segment.count == ALL else segment.count
        for _ in range(count):
            record = read_record(data, at, file_keys, segment, page_size)
            if record is None:
                return segments, records
            records.append(record)
            at += page_size + 8
        at = -(-at // SECTOR) * SECTOR
