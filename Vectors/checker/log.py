"""The write-ahead log of a sealed file, name-nlog. SEALED-FILE.md, "Log"."""

from dataclasses import dataclass

from . import pages
from .header import VERSION, magic
from .primitives import Refused, u32, xaes_open, xaes_seal

HEADER, FRAME = 128, 24
LITTLE, BIG = 0x377F0682, 0x377F0683


class NoLog(Exception):
    """What is there counts as no log: nothing was committed to it."""


@dataclass
class Log:
    """The log's salts, the order of bytes of its sums, and the sums of its header."""
    salts: bytes
    order: str
    sums: tuple


@dataclass
class Frame:
    number: int
    page: int
    database_size: int
    content: bytes
    key_id: int
    nonce: bytes


def running_sums(data, order, sums=(0, 0)):
    """SQLite's checksum of a log, going on from `sums`."""
    first, second = sums
    for at in range(0, len(data), 8):
        first = first + int.from_bytes(data[at:at + 4], order) + second & 0xFFFFFFFF
        second = second + int.from_bytes(data[at + 4:at + 8], order) + first & 0xFFFFFFFF
    return first, second


def frame_sums(log, sums, frame_header, content):
    """`content` is the page without its last 64 bytes, in place of which SQLite sees zeros."""
    return running_sums(frame_header[:8] + content + bytes(pages.TAIL), log.order, sums)


def sums_bytes(sums):
    return u32(sums[0]) + u32(sums[1])


def sqlite_header(page_size, salts, order, checkpoint=0):
    """SQLite's own header of a log, 32 bytes."""
    start = u32(BIG if order == "big" else LITTLE) + u32(3_007_000) + u32(page_size)
    start += u32(checkpoint) + salts
    return start + sums_bytes(running_sums(start, order))


def log_aad(data, store_id, key_id):
    return b"nacre/log/1" + store_id + u32(key_id) + b"\x01" + data[:40] + data[84:HEADER]


def build_header(store_id, key_id, key, nonce, page_size, own, version=VERSION):
    """The 128 bytes; `own` is SQLite's header."""
    start = magic(b"wlog") + u32(version) + u32(page_size) + store_id
    whole = start + bytes(16) + nonce + u32(key_id) + bytes(12) + own
    tag = xaes_seal(key, nonce, b"", log_aad(whole, store_id, key_id))
    return whole[:40] + tag + whole[56:]


def build_frame(file_keys, key_id, nonce, page, database_size, content, number, log, sums):
    """(the frame's bytes, the sums behind it)"""
    start = u32(page) + u32(database_size) + log.salts + bytes(8)
    sums = frame_sums(log, sums, start, content)
    place = pages.log_place(page, log.salts, number, database_size)
    return start + pages.seal_page(file_keys.store_id, key_id, file_keys.keys[key_id][1], nonce,
                                   content, sums_bytes(sums), place), sums


def read_header(data, file_keys, page_size):
    """The Log; raises NoLog where a reader goes on as if there were none."""
    if len(data) < HEADER or data[:16] != magic(b"wlog"):
        raise NoLog("less than a header, or no magic")
    if data[16:20] != u32(VERSION):
        raise Refused("newerFormat", "the log")
    if data[20:24] != u32(page_size):
        raise NoLog("another page size")
    if data[24:40] != file_keys.store_id:
        raise Refused("otherStore", "the log")
    key_id = int.from_bytes(data[80:84], "big")
    if key_id == 0 or any(data[84:96]):
        raise NoLog("key id 0, or bytes that should be zero")
    key = file_keys.key(key_id)
    try:
        xaes_open(key, data[56:80], data[40:56], log_aad(data, file_keys.store_id, key_id))
    except Refused:
        raise NoLog("the tag of its header is wrong") from None
    return read_sqlite_header(data[96:HEADER], page_size)


def read_sqlite_header(own, page_size):
    number = int.from_bytes(own[:4], "big")
    order = {LITTLE: "little", BIG: "big"}.get(number)
    if order is None or own[4:12] != u32(3_007_000) + u32(page_size):
        raise NoLog("not SQLite's header of a log")
    sums = running_sums(own[:24], order)
    if sums_bytes(sums) != own[24:]:
        raise NoLog("the checksum of SQLite's header")
    return Log(own[16:24], order, sums)


def read_frames(data, file_keys, page_size):
    """(Log, frames that count, of which the last may be uncommitted)."""
    log = read_header(data, file_keys, page_size)
    frames, sums, at = [], log.sums, HEADER
    while at + FRAME + page_size <= len(data):
        start, sealed = data[at:at + FRAME], data[at + FRAME:at + FRAME + page_size]
        frame, sums = read_frame(start, sealed, file_keys, log, len(frames) + 1, sums)
        if frame is None:
            break
        frames.append(frame)
        at += FRAME + page_size
    return log, frames


def read_frame(start, sealed, file_keys, log, number, sums):
    """(Frame, sums), or (None, None) where the log ends; raises unknownKey."""
    page, database_size = (int.from_bytes(start[at:at + 4], "big") for at in (0, 4))
    if start[8:16] != log.salts or page == 0:
        return None, None
    _, nonce, key_id, _ = pages.tail(sealed)
    try:
        content, sealed_sums = pages.open_page(
            file_keys, sealed, pages.log_place(page, log.salts, number, database_size))
    except Refused as refused:
        if refused.kind == "authenticationFailed":
            return None, None
        raise
    sums = frame_sums(log, sums, start, content)
    if sums_bytes(sums) != sealed_sums:
        return None, None
    return Frame(number, page, database_size, content, key_id, nonce), sums


def committed(frames):
    """The frames up to the last that ends a transaction."""
    ends = [at for at, frame in enumerate(frames) if frame.database_size]
    return frames[:ends[-1] + 1] if ends else []
