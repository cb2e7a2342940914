"""Reads a sealed file, its log and its rollback journal, and gives the database inside as bytes in
memory. Nothing of it is ever written to a disk. SEALED-FILE.md is the only guide."""

import collections
import sqlite3
from pathlib import Path

from . import header as head
from . import journal, log, pages, rekey
from .columns import Unreadable
from .primitives import Refused, u16


def is_sealed_file(path):
    """Whether a file is to be read as format 2; one that is not there is not."""
    if not Path(path).is_file():
        return False
    with open(path, "rb") as file:
        start = file.read(head.PAGES)
    return start[:16] != b"SQLite format 3\0" and head.is_sealed(start)


def beside(path, ending):
    """The bytes of a file beside the store, none if it is not there."""
    other = Path(f"{path}{ending}")
    return other.read_bytes() if other.is_file() else b""


class SealedFile:
    """A store's main file, and what journal and log put in the place of its pages.

    It reads whole files without a lock, so nobody may write to the store meanwhile."""

    def __init__(self, path, data, header, file_keys):
        self.data, self.header, self.file_keys = data, header, file_keys
        self.size = header.page_size
        self.nonces, self.by_key = set(), collections.Counter()
        self.restored, self.replaced = {}, {}  # page number: content, of journal and log
        self.rekeyed = {}  # page number: Record, of the rekey journal
        self.count = None
        self.roll_back(beside(path, "-njournal"))
        self.apply_log(beside(path, "-nlog"))
        self.read_rekey(beside(path, "-nrekey"))
        if self.count is None:
            self.count = pages.page_count(len(data), self.size)

    def note(self, key_id, nonce):
        """Two pages under one nonce give GCM's authentication key away: the writer's worst bug."""
        if (key_id, nonce) in self.nonces:
            raise Refused("nonceRepeated", f"file key {key_id}")
        self.nonces.add((key_id, nonce))
        self.by_key[key_id] += 1

    def roll_back(self, data):
        segments, records = journal.read(data, self.file_keys, self.size)
        if not segments:
            return
        self.count = segments[0].database_size
        for record in records:
            self.note(record.key_id, record.nonce)
            self.restored[record.page] = record.content
        print(f"rollback journal: {len(records)} records put back, {self.count} pages before them")

    def apply_log(self, data):
        try:
            _, frames = log.read_frames(data, self.file_keys, self.size)
        except log.NoLog:
            return
        valid, frames = len(frames), log.committed(frames)
        for frame in frames:
            self.note(frame.key_id, frame.nonce)
            self.replaced[frame.page] = frame.content
            self.count = frame.database_size or self.count
        print(f"log: {len(frames)} committed frames, {valid - len(frames)} uncommitted")

    def read_rekey(self, data):
        try:
            count, records = rekey.read(data, self.file_keys, self.size)
        except rekey.NoJournal:
            return
        self.rekeyed = {record.page: record for record in records}
        print(f"rekey journal: {count} records, for pages that were torn")

    def main_page(self, page):
        at = pages.offset_of(page, self.size)
        sealed = self.data[at:at + self.size]
        if len(sealed) < self.size:
            raise Refused("truncated", f"page {page} is not in the file")
        try:
            content, _ = pages.open_page(self.file_keys, sealed, pages.main_place(page))
        except Refused as refused:
            if page not in self.rekeyed:
                raise Refused(refused.kind, f"page {page}") from None
            record = self.rekeyed[page]
            self.note(record.key_id, record.nonce)
            return record.content
        _, nonce, key_id, _ = pages.tail(sealed)
        self.note(key_id, nonce)
        return content

    def content(self, page):
        for found in (self.replaced, self.restored):
            if page in found:
                return found[page]
        return self.main_page(page)

    def check_replaced(self):
        """Pages that log or journal replace may be torn, for a write may have ended halfway."""
        torn = 0
        for page in sorted(set(self.replaced) | set(self.restored)):
            if page <= self.count and pages.offset_of(page + 1, self.size) <= len(self.data):
                try:
                    self.main_page(page)
                except Refused as refused:
                    if refused.kind == "nonceRepeated":
                        raise
                    torn += 1
        if torn:
            print(f"{torn} pages do not open in the main file, but log or journal replaces them")

    def database(self):
        """The database as SQLite would see it, without a log."""
        if self.count == 0:
            raise Unreadable("a sealed file without a page")
        first, out = self.content(1), bytearray()
        if first[16:18] != u16(self.size & 0xFFFF or 1) or first[20] != pages.TAIL:
            raise Unreadable("page 1 says another page size, or does not keep 64 bytes free")
        # SQLite believes the number of pages in page 1 only while these two agree.
        if first[24:28] == first[92:96] and int.from_bytes(first[28:32], "big") > self.count:
            raise Refused("truncated", f"page 1 says more than {self.count} pages")
        for page in range(1, self.count + 1):
            skipped = page == pages.lock_byte_page(self.size)
            content = first if page == 1 else bytes(self.size - 64) if skipped \
                else self.content(page)
            out += content + bytes(pages.TAIL)
        self.check_replaced()
        out[18:20] = b"\x01\x01"  # The log is applied already; in memory there is none.
        by_key = ", ".join(f"{n} under key {key_id}" for key_id, n in sorted(self.by_key.items()))
        print(f"{self.count} pages of {self.size} bytes; opened, with those that they replace: {by_key}")
        return bytes(out)


def file_keys(header, opened):
    return pages.FileKeys(header.store_id, {
        row["id"]: (row["state"], opened[row["id"]]) for row in header.keys})


def read_header(data):
    """(Header, the copy that says so)"""
    number, copy, counting = head.choose(data[:head.PAGES])
    if counting != [1, 2]:
        print(f"header: copy {3 - number} is damaged")
    return head.parse(copy), copy


def open_in_memory(database):
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(database)
    db.execute("PRAGMA temp_store = MEMORY")  # A large sort would write plaintext to a disk.
    db.execute("PRAGMA query_only = 1")
    return db


def check_tables(db, values, header):
    """What the tables inside of a sealed file must say of its header."""
    head.check_sequence(header, values.get("headerSequence"))
    if values["storeID"] != header.store_id:
        raise Refused("headerTampered", "nacre_store has another storeID")
    if db.execute("SELECT count(*) FROM nacre_slot").fetchone() != (0,):
        raise Unreadable("slots in nacre_slot: those of a sealed file are in its header")
    ids = {row["id"] for row in header.keys}
    twice = [i for i, in db.execute("SELECT id FROM nacre_key") if i in ids]
    if twice:
        raise Refused("headerTampered", f"key {twice[0]} is in nacre_key, too")
