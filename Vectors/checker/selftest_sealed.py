"""Sealed files made by hand, whole and harmed: the checker must read the whole and notice each harm."""

from dataclasses import replace

from . import envelope as env
from . import header as head
from . import keys, pages
from .labels import bytes_for, flip
from .primitives import mac, u16, u32
from .sealed_sample import (BEFORE, CURRENT, FILE_KEYS, GONE, OFF, SEQUENCE, SIZE, STATES, Sample,
                            Sealer, header_copy, with_journal, with_log)
from .selftest_store import (SECRET, STORE, STORE_KEY, TABLE, both, key_rows, put, run_check, sealed,
                             sql)

HEADER = head.PAGES
VIN = sealed("vin", 2, "TEXT", "VIN 2")
TAMPERED = put("vin", flip(VIN, -1))
MENDED = put("vin", VIN)


def grow(db):
    """Touches more pages than the cache has, so that SQLite writes before it commits."""
    db.execute("CREATE TABLE IF NOT EXISTS more (x BLOB)")
    db.executemany("INSERT INTO more VALUES (?)", [(bytes_for(f"more {n}", 700),) for n in range(40)])


def harm_all(db):
    db.execute(f"UPDATE {TABLE} SET vin = x'00', name = name || 'changed'")
    grow(db)


def nothing(db):
    pass


class Samples:
    """What the cases are made from: a whole file with a log that it needs, and one with a journal."""

    def __init__(self, folder):
        self.folder = folder
        self.header = header_copy()
        plain, *plain_log = with_log(folder, TAMPERED, [nothing, grow, MENDED], [harm_all])
        sealer = Sealer()
        self.logged = Sample(sealer.main(plain, self.header), sealer.log(*plain_log))
        self.plain_log, self.sealer = plain_log, sealer
        plain, plain_journal = with_journal(folder, harm_all)
        sealer = Sealer(label="journal sample")
        self.plain_journal = plain_journal
        self.journaled = Sample(sealer.main(plain, self.header), b"", sealer.journal(plain_journal))
        self.whole = self.inside(nothing)

    def inside(self, harm, header=None):
        """A file without a log; `harm` is done before the pages are sealed."""
        plain, *_ = with_log(self.folder, harm, [])
        return Sample(Sealer(label="inside").main(plain, header or self.header))


def with_header(sample, first, second=None):
    return replace(sample, main=first + (second or first) + sample.main[HEADER:])


def with_page(sample, number, harm):
    """`harm` is done to one sealed page of the main file."""
    at = pages.offset_of(number, SIZE)
    return replace(sample, main=sample.main[:at] + harm(sample.main[at:at + SIZE])
                   + sample.main[at + SIZE:])


def put_at(at, value):
    return lambda data: data[:at] + value + data[at + len(value):]


def frame_at(number):
    return 128 + (number - 1) * (24 + SIZE)


def header_cases(s):
    copy, whole, wrong = s.header, s.whole, "headerTampered"
    yield "whole", None, whole
    yield "the first copy damaged", None, with_header(whole, flip(copy, 300), copy)
    yield "the second copy damaged", None, with_header(whole, copy, flip(copy, 300))
    yield "both copies damaged", "headerDamaged", with_header(whole, flip(copy, 300))
    newer = header_copy(sequence=SEQUENCE + 1)
    yield "a newer format", "newerFormat", with_header(whole, head.finish(
        put_at(16, u32(3))(copy)[:head.MAC], STORE_KEY, STORE))
    yield "a newer header than the tables know", None, with_header(whole, copy, newer)
    yield "another storeID in the header", "wrongSecret", with_header(
        whole, head.finish(flip(copy, 24)[:head.MAC], STORE_KEY, STORE))
    yield "a MAC that differs", wrong, with_header(
        whole, head.finish(copy[:head.MAC], bytes(32), STORE))
    yield "an older header", wrong, with_header(whole, header_copy(sequence=SEQUENCE - 1))
    yield "equal sequence numbers, other bytes", wrong, with_header(whole, copy, header_copy(
        states={**STATES, BEFORE: env.DISABLED}))
    yield "a header without the key of a page", "unknownKey", with_header(whole, header_copy(
        states={key: state for key, state in STATES.items() if key != BEFORE}))
    yield "the key of a page destroyed", "destroyedKey", with_header(
        whole, header_copy(states={**STATES, BEFORE: env.DESTROYED}))
    yield "the key of a page disabled", "disabledKey", with_header(
        whole, header_copy(states={**STATES, BEFORE: env.DISABLED}))
    other = bytes_for("sample new store key", 32)
    yield "a rewrap that is under way", None, with_header(whole, header_copy(other, STORE_KEY))
    yield "a rewrap whose tables are done", None, with_header(
        whole, header_copy(STORE_KEY, bytes_for("sample older store key", 32)))
    yield "a new store key, and tables under another", "ringTampered", with_header(
        whole, header_copy(other))


def inside_cases(s):
    wrong = "headerTampered"
    row = lambda value: sql(f"UPDATE nacre_store SET value = {value} WHERE name = 'headerSequence'")
    yield "a greater headerSequence", wrong, s.inside(row(SEQUENCE + 1))
    yield "a headerSequence that is no number", wrong, s.inside(row("'4'"))
    yield "no headerSequence", wrong, s.inside(
        sql("DELETE FROM nacre_store WHERE name = 'headerSequence'"))
    yield "a lower headerSequence", None, s.inside(row(SEQUENCE - 1))
    yield "another storeID", wrong, s.inside(
        sql("UPDATE nacre_store SET value = zeroblob(16) WHERE name = 'storeID'"))
    yield "format 1 inside", "format 1", s.inside(
        sql("UPDATE nacre_store SET value = 1 WHERE name = 'format'"))
    yield "a slot in the tables", "nacre_slot", s.inside(
        sql("INSERT INTO nacre_slot VALUES (1, 'secret', '', zeroblob(72))"))
    yield "a file key's id in the tables", wrong, s.inside(both(
        sql(f"UPDATE nacre_key SET id = {CURRENT} WHERE id = 11"), remac))
    yield "a tampered value in a sealed file", "authenticationFailed", s.inside(TAMPERED)
    yield "a ring that was changed", "ringTampered", s.inside(
        sql("UPDATE nacre_key SET state = 4 WHERE id = 7"))


def remac(db):
    """Gives the ring of the tables the MAC that it should have but for its ids: the key that was
    renamed is dropped, for its wrapping names its id, and a tombstone bears the id."""
    db.execute('UPDATE nacre_key SET state = 5, sealed = NULL, "check" = NULL WHERE id = ?',
               (CURRENT,))
    rows = [{**row, "id": CURRENT, "state": env.DESTROYED, "wrapped": None, "check": None}
            if row["id"] == 11 else row for row in key_rows()]
    made = mac(keys.ring_mac_key(STORE_KEY, STORE), keys.ring_mac_input(STORE, 3, rows))
    db.execute("UPDATE nacre_store SET value = ? WHERE name = 'ringMAC'", (made,))


def page_cases(s):
    whole, wrong = s.whole, "authenticationFailed"
    page = lambda number: whole.main[pages.offset_of(number, SIZE):][:SIZE]
    for number in (1, 3, (len(whole.main) - HEADER) // SIZE):
        yield f"a bit of page {number}", wrong, with_page(whole, number, lambda p: flip(p, 50))
    yield "a page moved", wrong, with_page(whole, 3, lambda p: page(4))
    yield "a page of zeros", wrong, with_page(whole, 3, lambda p: bytes(SIZE))
    yield "a page's last byte", wrong, with_page(whole, 3, lambda p: flip(p, -1))
    yield "key id 0", wrong, with_page(whole, 3, put_at(SIZE - 16, u32(0)))
    yield "an unknown key in a page", "unknownKey", with_page(whole, 3, put_at(SIZE - 16, u32(9)))
    yield "a page under a disabled key", "disabledKey", with_page(whole, 3, lambda p: replace(
        s.sealer, key_id=OFF).page(bytes(SIZE), pages.main_place(3)))
    yield "a page of another store", wrong, with_page(whole, 3, lambda p: replace(
        s.sealer, store_id=bytes(16)).page(bytes(SIZE), pages.main_place(3)))
    yield "the frame of a log in the place of a page", wrong, with_page(
        whole, 1, lambda p: s.logged.log[frame_at(1) + 24:frame_at(2)])
    yield "one nonce for two pages", "nonceRepeated", with_page(
        whole, 4, lambda p: again(s, page(3), 4))
    yield "the last page is gone", "truncated", replace(whole, main=whole.main[:-SIZE])
    yield "half of the last page is gone", "truncated", replace(whole, main=whole.main[:-SIZE // 2])
    yield "half a page too many", "truncated", replace(whole, main=whole.main + bytes(SIZE // 2))
    yield "the header alone", "without a page", replace(whole, main=whole.main[:HEADER])
    yield "half of the header", "truncated", replace(whole, main=whole.main[:HEADER // 2])
    yield "page 1 says another page size", "page 1 says", with_page(
        whole, 1, lambda p: first_page(s, whole, 16, u16(2048)))
    yield "page 1 does not keep 64 bytes free", "page 1 says", with_page(
        whole, 1, lambda p: first_page(s, whole, 20, b"\0"))


def again(s, other, number):
    """Page `number`, sealed under the nonce of `other`."""
    _, nonce, key_id, _ = pages.tail(other)
    return pages.seal_page(STORE, key_id, s.sealer.key, nonce, bytes(SIZE - 64), bytes(8),
                           pages.main_place(number))


def first_page(s, sample, at, value):
    content, _ = pages.open_page(FILE_KEYS, sample.main[HEADER:HEADER + SIZE], pages.main_place(1))
    return s.sealer.page(put_at(at, value)(content) + bytes(64), pages.main_place(1))


def log_cases(s):
    """The main file has a value that was tampered with; the log's last transaction mends it."""
    logged, data, wrong = s.logged, s.logged.log, "authenticationFailed"
    log = lambda changed: replace(logged, log=changed)
    ends = "0 committed frames"
    yield "a log that the store needs", None, logged
    yield "no log", wrong, log(b"")
    yield "a log header that was changed: no log", wrong, log(flip(data, 112))
    yield "a first frame that was changed", ends, log(flip(data, frame_at(1) + 100))
    yield "a log cut to its header", ends, log(data[:128])
    yield "a log of another store", "otherStore", log(
        Sealer(store_id=bytes(16), label="other").log(*s.plain_log))
    yield "a log of a newer format", "newerFormat", log(
        Sealer(label="newer").log(*s.plain_log, version=3))
    yield "a log under an unknown key", "unknownKey", log(put_at(80, u32(9))(data))
    yield "a frame under an unknown key", "unknownKey", log(
        put_at(frame_at(2) - 16, u32(9))(data))
    yield "a frame under a destroyed key", "destroyedKey", log(
        put_at(frame_at(2) - 16, u32(GONE))(data))
    yield "a torn page that the log replaces", None, with_page(logged, 1, lambda p: flip(p, 70))
    yield "what is behind the last commit, changed", None, log(flip(data, len(data) - 600))


def journal_cases(s):
    """The main file has half of a transaction; the journal takes it back."""
    journaled, data = s.journaled, s.journaled.journal
    journal = lambda changed: replace(journaled, journal=changed)
    yield "a rollback journal that the store needs", None, journaled
    yield "no rollback journal", "FAILED", journal(b"")
    yield "a rollback journal of another store", "otherStore", journal(
        Sealer(store_id=bytes(16), label="other journal").journal(s.plain_journal))
    yield "a rollback journal of a newer format", "newerFormat", journal(
        Sealer(label="newer journal").journal(s.plain_journal, version=3))
    yield "a rollback journal whose first header was changed", "FAILED", journal(flip(data, 17))
    yield "a rollback journal whose first record was changed", "FAILED", journal(flip(data, 600))
    yield "a torn page behind those that there were before the transaction", None, replace(
        journaled, main=journaled.main[:-SIZE // 2])
    yield "a page that the rollback journal replaces, torn", None, with_page(
        journaled, int.from_bytes(data[512:516], "big"), lambda p: flip(p, 3))


def rekey_cases(s):
    """Page 3 of the main file was torn by a rekey that was killed; its journal has it whole."""
    sealer, whole = Sealer(label="rekey"), s.whole
    data, wrong = sealer.rekey(whole.main, [2, 3, 4]), "authenticationFailed"
    torn = with_page(whole, 3, lambda p: flip(p, 9))
    journal = lambda changed: replace(torn, rekey=changed)
    yield "a rekey journal that the store needs", None, journal(data)
    yield "a rekey journal that nothing needs", None, replace(whole, rekey=data)
    yield "no rekey journal", wrong, torn
    yield "a rekey journal without the torn page", wrong, journal(sealer.rekey(whole.main, [2, 4]))
    yield "a rekey journal that was torn", wrong, journal(data[:-1])
    yield "a rekey journal whose header was changed", wrong, journal(flip(data, 50))
    yield "a rekey journal of another store", "otherStore", journal(
        Sealer(store_id=bytes(16), label="other rekey").rekey(whole.main, [3]))
    yield "a rekey journal of a newer format", "newerFormat", journal(
        sealer.rekey(whole.main, [3], version=3))


def test_sealed_files(folder, temporary):
    """Complaints."""
    samples = Samples(temporary)
    key_file, other = temporary / "sealed.key", temporary / "sealed other.key"
    key_file.write_text(f"NACRE-KEY-1 {SECRET.hex()}\n")
    other.write_text(f"NACRE-KEY-1 {flip(SECRET, 0).hex()}\n")
    runs = [(name, wanted, sample, key_file) for group in (
        header_cases, inside_cases, page_cases, log_cases, journal_cases, rekey_cases)
        for name, wanted, sample in group(samples)]
    runs.append(("another secret", "wrongSecret", samples.whole, other))
    for number, (name, wanted, sample, key) in enumerate(runs):
        path = temporary / f"sealed {number}?#%.db"
        files = {path: sample.main, path.with_name(f"{path.name}-nlog"): sample.log,
                 path.with_name(f"{path.name}-njournal"): sample.journal,
                 path.with_name(f"{path.name}-nrekey"): sample.rekey}
        for file, data in files.items():
            if data:
                file.write_bytes(data)
        code, output = run_check(folder, "store", path, "--key-file", key)
        if code != (1 if wanted else 0) or (wanted or "ok: every") not in output \
                or "Traceback" in output:
            yield f"sealed file, {name}: exit {code}, {output}"
        found = {file: file.read_bytes() for file in temporary.glob(f"sealed {number}[?]*")}
        if found != {file: data for file, data in files.items() if data}:
            yield f"sealed file, {name}: files were written to or made"
        if "VIN" in output:
            yield f"sealed file, {name}: a value was shown unasked"
    print(f"sealed files: {len(runs)} runs")
