"""The cases of sealed-page.json."""

from . import pages
from .cases_sealed import content_by_rule
from .envelope import DESTROYED, DISABLED, ENABLED, PENDING, PRIMARY
from .labels import bytes_for, flip
from .make_header import FIRST, GONE, NEXT, OFF, OTHER_STORE, SECOND, STORE, file_key
from .primitives import sha256, u32, xaes_steps

STATES = {OFF: DISABLED, NEXT: PENDING, SECOND: ENABLED, GONE: DESTROYED, FIRST: PRIMARY}
KEYS = [{"id": key_id, "state": state, "key": None if state == DESTROYED else file_key(key_id)}
        for key_id, state in STATES.items()]
SALTS, JOURNAL = bytes_for("log salts", 8), bytes_for("journal id", 16)
PLACES = {pages.MAIN: {}, pages.LOG: {"salts": SALTS, "frame": 3, "databaseSize": 12},
          pages.JOURNAL: {"journalID": JOURNAL, "recordOffset": 512}}


def made_place(place, page, at):
    if place == pages.MAIN:
        return pages.main_place(page)
    if place == pages.LOG:
        return pages.log_place(page, at["salts"], at["frame"], at["databaseSize"])
    return pages.journal_place(page, at["journalID"], at["recordOffset"])


def checksum_for(place):
    random = bytes_for(f"checksum of place {place}", 8)
    return {pages.MAIN: bytes(8), pages.LOG: random, pages.JOURNAL: random[:4] + bytes(4)}[place]


def first_page():
    """What a page 1 begins with, as SQLite writes it: 1,024 bytes a page, 64 of them kept free."""
    start = b"SQLite format 3\0" + bytes.fromhex("0400020240402020")
    return start + bytes_for("page 1", 1024 - 64 - len(start))


def page(comment, place, number, content, key_id=FIRST, expect="opens", **at):
    """A page of 1,024 bytes."""
    at = {**PLACES[place], **at}
    made, checksum = made_place(place, number, at), checksum_for(place)
    nonce = bytes_for(f"page nonce {comment}", 24)
    sealed = pages.seal_page(STORE, key_id, file_key(key_id), nonce, content, checksum, made)
    aad = pages.page_aad(STORE, key_id, made)
    return {"comment": comment, "expect": expect, "kind": "page", "storeID": STORE,
            "keys": [row for row in KEYS if row["id"] == key_id], "pageSize": 1024, "place": place,
            "page": number, **at, "sealed": sealed, "where": made.where, "aad": aad,
            "keyID": key_id, "nonce": nonce,
            "subkey": xaes_steps(file_key(key_id), nonce)["Kx"], "tag": sealed[-56:-40],
            "content": content, "checksum": checksum}


def refused(good, comment, expect, **changes):
    kept = {name: value for name, value in good.items() if name not in (
        "where", "aad", "keyID", "nonce", "subkey", "tag", "content", "checksum")}
    if "place" in changes:
        kept = {name: value for name, value in kept.items() if name not in PLACES[good["place"]]}
        kept.update(PLACES[changes["place"]])
    return {**kept, **changes, "comment": comment, "expect": expect}


def opening_cases():
    content = bytes_for("page content", 960)
    yield page("main file, page 7", pages.MAIN, 7, content)
    yield page("main file, page 1", pages.MAIN, 1, first_page())
    yield page("main file, a page of zeros", pages.MAIN, 2, bytes(960))
    yield page("main file, the greatest page number", pages.MAIN, 0xFFFFFFFE, content)
    yield page("main file, under an enabled key", pages.MAIN, 7, content, SECOND)
    yield page("main file, under a pending key", pages.MAIN, 7, content, NEXT)
    yield page("log, frame 3, which ends a transaction", pages.LOG, 7, content)
    yield page("log, frame 1, which does not", pages.LOG, 7, content, frame=1, databaseSize=0)
    yield page("rollback journal, the first record", pages.JOURNAL, 7, content)
    yield page("rollback journal, beyond 4 GiB", pages.JOURNAL, 7, content,
               recordOffset=2**32 + 512)


def large_cases():
    """Sealed by who reads the case: 31 i + 17 (i div 256) + seed mod 256 is byte i of a page."""
    for size in (4096, 65536):
        for place in PLACES:
            at = PLACES[place]
            made, checksum, seed = made_place(place, 9, at), checksum_for(place), size // 4096 + place
            content, nonce = content_by_rule(seed, size - 64), bytes_for(f"{size} {place}", 24)
            sealed = pages.seal_page(STORE, FIRST, file_key(FIRST), nonce, content, checksum, made)
            yield {"comment": f"place {place}, {size} bytes, made by rule", "expect": "opens",
                   "kind": "page", "storeID": STORE, "pageSize": size, "place": place, "page": 9,
                   "keys": [row for row in KEYS if row["id"] == FIRST], **at, "keyID": FIRST,
                   "nonce": nonce, "seed": seed, "checksum": checksum, "where": made.where,
                   "aad": pages.page_aad(STORE, FIRST, made), "contentSHA256": sha256(content),
                   "tag": sealed[-56:-40], "sealedSHA256": sha256(sealed)}


def failing_cases():
    content = bytes_for("page content", 960)
    good = {place: {**page(f"of place {place}", place, 7, content), "keys": KEYS} for place in PLACES}
    wrong = "authenticationFailed"
    moved = {pages.MAIN: [dict(place=2), dict(place=3)],
             pages.LOG: [dict(place=1), dict(place=3), dict(frame=4), dict(databaseSize=0),
                         dict(databaseSize=13), dict(salts=flip(SALTS, 0)),
                         dict(salts=flip(SALTS, 7))],
             pages.JOURNAL: [dict(place=1), dict(place=2), dict(journalID=flip(JOURNAL, 15)),
                             dict(recordOffset=512 + 1032)]}
    for place, changes in moved.items():
        for change in [dict(page=8), dict(storeID=OTHER_STORE), *changes]:
            yield refused(good[place], f"of place {place}, moved: another {next(iter(change))}", wrong,
                          **change)
    sealed = good[pages.MAIN]["sealed"]
    main = lambda comment, expect, at, data: refused(
        good[pages.MAIN], comment, expect, sealed=sealed[:at] + data + sealed[at + len(data):])
    bit = lambda comment, at: main(comment, wrong, at, flip(sealed[at:at + 1], 0))
    yield bit("a bit of the first byte", 0)
    yield bit("a bit of the sealed checksum", 1024 - 57)
    yield bit("a bit of the tag", 1024 - 56)
    yield bit("the last bit of the tag", 1024 - 41)
    yield bit("a bit of the nonce's first half", 1024 - 40)
    yield bit("a bit of the nonce's second half", 1024 - 17)
    yield bit("a first zero that is not zero", 1024 - 12)
    yield bit("a last zero that is not zero", 1023)
    yield main("all zeros", wrong, 0, bytes(1024))
    yield main("key id 0", wrong, 1008, u32(0))
    yield main("another key, which is enabled", wrong, 1008, u32(SECOND))
    yield main("an unknown key", "unknownKey", 1008, u32(FIRST + 1))
    yield main("a destroyed key", "destroyedKey", 1008, u32(GONE))
    off = page("disabled", pages.MAIN, 7, content, OFF)
    yield {**refused(off, "a disabled key", "disabledKey"), "keys": KEYS}
    yield main("an unknown key, and a zero that is not zero", wrong, 1008,
               u32(FIRST + 1) + bytes(11) + b"\x01")
    unsealed = content + bytes(64)
    yield refused(good[pages.MAIN], "a page that was not sealed", wrong, sealed=unsealed)


def cases():
    for group in (opening_cases, large_cases, failing_cases):
        yield from group()
