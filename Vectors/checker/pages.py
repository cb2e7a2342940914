"""Sealed pages: place, AAD, sealing and opening. SEALED-FILE.md, "Sealed page"."""

from dataclasses import dataclass

from .envelope import DESTROYED, DISABLED
from .header import PAGES
from .primitives import Refused, u32, u64, xaes_open, xaes_seal

TAIL, LOCK_BYTE = 64, 1 << 30
MAIN, LOG, JOURNAL = 1, 2, 3


@dataclass
class FileKeys:
    """The file keys of a store: {id: (state, key bytes)}."""
    store_id: bytes
    keys: dict

    def key(self, key_id):
        """The key that opens what bears this id."""
        if key_id == 0:
            raise Refused("authenticationFailed", "key id 0")
        if key_id not in self.keys:
            raise Refused("unknownKey", str(key_id))
        state, key = self.keys[key_id]
        if state == DESTROYED:
            raise Refused("destroyedKey", str(key_id))
        if state == DISABLED:
            raise Refused("disabledKey", str(key_id))
        return key


@dataclass
class Place:
    """Where a sealed page lies; `where` has 24 bytes."""
    place: int
    page: int
    where: bytes


def main_place(page):
    return Place(MAIN, page, bytes(24))


def log_place(page, salts, frame, database_size):
    return Place(LOG, page, salts + u32(frame) + u32(database_size) + bytes(8))


def journal_place(page, journal_id, offset):
    return Place(JOURNAL, page, journal_id + u64(offset))


def page_aad(store_id, key_id, place):
    return (b"nacre/page/1" + store_id + u32(key_id) + b"\x01" + u32(place.page)
            + bytes([place.place]) + place.where)


def seal_page(store_id, key_id, key, nonce, content, checksum, place):
    """`content` is the page without its last 64 bytes, `checksum` has 8 bytes."""
    sealed = xaes_seal(key, nonce, content + checksum, page_aad(store_id, key_id, place))
    return sealed + nonce + u32(key_id) + bytes(12)


def tail(sealed):
    """Tag, nonce, key id and zeros of a sealed page."""
    return sealed[-56:-40], sealed[-40:-16], int.from_bytes(sealed[-16:-12], "big"), sealed[-12:]


def open_page(file_keys, sealed, place):
    """(the page without its last 64 bytes, checksum)"""
    _, nonce, key_id, zeros = tail(sealed)
    if any(zeros):
        raise Refused("authenticationFailed", "bytes at the page's end that are not zero")
    key = file_keys.key(key_id)
    plain = xaes_open(key, nonce, sealed[:-40], page_aad(file_keys.store_id, key_id, place))
    return plain[:-8], plain[-8:]


def offset_of(page, page_size):
    return PAGES + (page - 1) * page_size


def lock_byte_page(page_size):
    """The page that nobody writes: SQLite's locks lie there."""
    return LOCK_BYTE // page_size + 1


def page_count(size, page_size):
    """How many pages a main file of `size` bytes has."""
    if size < PAGES or (size - PAGES) % page_size:
        raise Refused("truncated", f"{size} bytes, with pages of {page_size}")
    return (size - PAGES) // page_size
