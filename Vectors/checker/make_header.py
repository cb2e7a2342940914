"""The cases of sealed-header.json."""

from dataclasses import replace

from . import header as head
from . import keys, pages
from .case import to_parts
from .envelope import DESTROYED, DISABLED, ENABLED, PENDING, PRIMARY
from .header import Header
from .labels import bytes_for, flip
from .primitives import sha256, u16, u32

STORE, OTHER_STORE = bytes_for("sealed store 1", 16), bytes_for("sealed store 2", 16)
STORE_KEY, FORMER, SECRET = (bytes_for(f"sealed {label}", 32) for label in
                             ("store key", "former store key", "slot secret"))
FIRST, SECOND, GONE, OFF, NEXT = 0x1A2B3C4D, 0x80000001, 0xFFFFFFFE, 7, 0x00C0FFEE
BORN = 1_764_547_200_000


def file_key(key_id):
    return bytes_for(f"file key {key_id}", 32)


def key_row(key_id, state=PRIMARY, created=BORN, store_key=STORE_KEY, purpose=head.FILE, suite=1):
    row = {"id": key_id, "purpose": purpose, "suite": suite, "state": state, "created": created,
           "wrapped": None, "check": None}
    if state != DESTROYED:
        row["wrapped"] = keys.wrap(keys.wrap_key(store_key, STORE),
                                   bytes_for(f"file key nonce {key_id}", 24), file_key(key_id),
                                   keys.data_key_aad(STORE, key_id, purpose, suite))
        row["check"] = keys.check_value(file_key(key_id), STORE, key_id)
    return row


def slot(slot_id, secret=SECRET, kind="secret", parameters=""):
    slot_key = keys.slot_key_from_secret(secret, STORE)
    return {"id": slot_id, "kind": kind, "parameters": parameters,
            "sealed": keys.wrap(slot_key, bytes_for(f"sealed slot nonce {slot_id}", 24), STORE_KEY,
                                keys.slot_aad(STORE, slot_id))}


SCRYPT = '{"kdf":"scrypt","n":131072,"r":8,"p":1,"salt":"' + "5a" * 32 + '"}'
SLOTS = [slot(1), slot(2, bytes_for("another secret", 32), "passphrase", SCRYPT),
         slot(0xFFFFFFFF, bytes_for("a third secret", 32))]
KEYS = [key_row(OFF, DISABLED), key_row(NEXT, PENDING, BORN + 3), key_row(FIRST),
        key_row(SECOND, ENABLED, BORN + 1), key_row(GONE, DESTROYED, BORN + 2)]
WHOLE = Header(4096, STORE, 5, None, SLOTS, KEYS)
SMALL = Header(4096, STORE, 1, None, SLOTS[:1], [key_row(FIRST)])
FORMER_WRAPPED = keys.wrap(keys.wrap_key(STORE_KEY, STORE), bytes_for("former nonce", 24), FORMER,
                           head.former_aad(STORE))


def with_digest(copy):
    """The copy with the digest that it should have, and the MAC that it had."""
    return copy[:head.SHA] + sha256(copy[:head.SHA])


def copy_of(header, **more):
    return head.build(header, STORE_KEY, **more)


def refused(comment, expect, copy1, copy2, secret=SECRET, least=1):
    return {"comment": f"header: {comment}", "expect": expect, "kind": "header",
            "secret": secret, "headerSequence": least, "copy1": to_parts(copy1),
            "copy2": to_parts(copy2)}


def opens(comment, copy1, copy2, header, counts, decides, first, secret=SECRET, least=1):
    copy = (copy1, copy2)[decides - 1]
    opened = [{**row, "key": None if row["state"] == DESTROYED else file_key(row["id"])}
              for row in header.keys]
    return {**refused(comment, "opens", copy1, copy2, secret, least), "counts": counts,
            "decides": decides, "writtenFirst": first, "pageSize": header.page_size,
            "storeID": header.store_id, "sequence": header.sequence, "slots": header.slots,
            "keys": opened, "former": header.former, "storeKey": STORE_KEY,
            "formerStoreKey": header.former and FORMER,
            "headerMACKey": head.header_mac_key(STORE_KEY, STORE), "mac": copy[head.MAC:head.SHA]}


def opening_cases():
    copy, older = copy_of(WHOLE), copy_of(replace(WHOLE, sequence=4, keys=KEYS[1:]))
    rest = dict(header=WHOLE)
    yield opens("the second copy is newer; the first is written next", older, copy, WHOLE, [1, 2],
                2, 1, least=5)
    yield opens("the first copy is newer: a change that wrote one copy and stopped", copy, older,
                counts=[1, 2], decides=1, first=2, **rest)
    yield opens("both copies alike", copy, copy, counts=[1, 2], decides=1, first=2, **rest)
    torn = copy[:4096] + older[4096:]
    yield opens("the first copy is torn", torn, older, replace(WHOLE, sequence=4, keys=KEYS[1:]),
                [2], 2, 1)
    yield opens("the second copy is torn", copy, flip(copy, 600), counts=[1], decides=1, first=2,
                **rest)
    yield opens("the first copy is all zeros", bytes(head.COPY), copy, counts=[2], decides=2,
                first=1, **rest)
    yield opens("the second copy is not there", copy, b"", counts=[1], decides=1, first=2, **rest)
    yield opens("the second copy is cut short by a byte", copy, copy[:-1], counts=[1], decides=1,
                first=2, **rest)
    changed = with_digest(flip(copy_of(replace(WHOLE, sequence=6)), 10))
    yield opens("a magic that was changed counts as no copy, though the digest is right", copy,
                changed, counts=[1], decides=1, first=2, **rest)
    yield opens("one slot, one key", copy_of(SMALL), copy_of(SMALL), SMALL, [1, 2], 1, 2)
    yield opens("the last slot opens", copy, copy, counts=[1, 2], decides=1, first=2,
                secret=bytes_for("a third secret", 32), **rest)
    for header, comment in [
            (replace(WHOLE, former=FORMER_WRAPPED), "a former store key: a rewrap is under way"),
            (replace(SMALL, page_size=1024), "pages of 1,024 bytes"),
            (replace(SMALL, page_size=65536), "pages of 65,536 bytes"),
            (replace(SMALL, sequence=2**63 - 1), "the greatest sequence number"),
            (replace(SMALL, slots=[slot(1, SECRET, "secret", "\u00e9" * 128)]),
             "parameters of 256 bytes, which a slot of kind secret does not read"),
            (replace(SMALL, slots=[slot(1, kind="sixteen bytes___"), slot(2)]),
             "a slot of a kind that nobody knows"),
            (replace(SMALL, slots=[slot(n) for n in range(1, 65)], keys=[
                key_row(n, PRIMARY if n == 64 else ENABLED) for n in range(1, 65)]),
             "64 slots, 64 keys")]:
        made = copy_of(header)
        yield opens(comment, made, b"", header, [1], 1, 2)


def choice_cases():
    copy, newer = copy_of(WHOLE), copy_of(replace(WHOLE, sequence=6))
    damaged = flip(copy, 100)
    yield refused("no magic in either copy", "notSealed", flip(copy, 0), flip(copy, 15))
    yield refused("a database that is not sealed", "notSealed",
                  b"SQLite format 3\0" + bytes(head.COPY - 16), bytes(head.COPY))
    yield refused("an empty file", "notSealed", b"", b"")
    yield refused("both copies are damaged", "headerDamaged", damaged, flip(copy, -1))
    yield refused("a magic and no more", "headerDamaged", copy[:16], b"")
    yield refused("one copy damaged, the other without magic", "headerDamaged", damaged,
                  bytes(head.COPY))
    yield refused("equal sequence numbers, other bytes", "headerTampered", copy,
                  copy_of(replace(WHOLE, keys=KEYS[1:])))
    other = copy_of(SMALL, version=3)
    yield refused("a newer version", "newerFormat", other, other)
    yield refused("a newer version in the copy that decides", "newerFormat", copy,
                  copy_of(replace(WHOLE, sequence=6), version=3))
    yield refused("version 1", "newerFormat", *[copy_of(SMALL, version=1)] * 2)
    yield refused("the newer copy's MAC is wrong: never the other copy", "headerTampered", copy,
                  head.finish(newer[:head.MAC], flip(STORE_KEY, 0), STORE))
    yield refused("older than headerSequence", "headerTampered", copy, copy, least=6)


def tampered_cases():
    copy = copy_of(WHOLE)
    at = copy.index(u32(FIRST), head.BODY)
    for comment, changed in [
            ("page size", copy[:20] + u32(8192) + copy[24:]), ("a sequence number", flip(copy, 46)),
            ("a key's state", flip(copy, at + 6)), ("a key's time", flip(copy, at + 14)),
            ("a wrapped key", flip(copy, at + 50)), ("a check value", flip(copy, at + 100)),
            ("a slot that is not the one that opens", flip(copy, at - 200)),
            ("the MAC", flip(copy, head.MAC))]:
        yield refused(f"changed, with a digest that is right: {comment}", "headerTampered",
                      *[with_digest(changed)] * 2)
    yield refused("changed, with a digest that is right: the slot that opens", "wrongSecret",
                  *[with_digest(flip(copy, head.BODY + 30))] * 2)
    yield refused("changed, with a digest that is right: the storeID", "wrongSecret",
                  *[with_digest(flip(copy, 24))] * 2)
    yield refused("another secret", "wrongSecret", copy, copy, secret=flip(SECRET, 0))
    for comment, header in [
            ("a wrapped key of another store key", replace(SMALL, keys=[
                key_row(FIRST, store_key=FORMER)])),
            ("a check value of another key", replace(WHOLE, keys=[
                KEYS[2], {**KEYS[3], "check": KEYS[2]["check"]}])),
            ("a former store key that does not unwrap", replace(
                WHOLE, former=flip(FORMER_WRAPPED, 30)))]:
        yield refused(f"{comment}, with a MAC that is right", "headerTampered",
                      *[copy_of(header)] * 2)


def malformed_cases():
    """MAC and digest are right: a defective writer's."""
    body = head.build_body(SMALL)
    keys_at = body.index(u32(FIRST)) - 2
    two = [key_row(5, ENABLED), key_row(6)]
    for comment, header in [
            ("pages of 512 bytes", replace(SMALL, page_size=512)),
            ("pages of 131,072 bytes", replace(SMALL, page_size=131072)),
            ("pages of 5,000 bytes", replace(SMALL, page_size=5000)),
            ("sequence number 0", replace(SMALL, sequence=0)),
            ("sequence number 2^63", replace(SMALL, sequence=2**63)),
            ("no slot", replace(SMALL, slots=[])),
            ("65 slots", replace(SMALL, slots=[slot(n) for n in range(1, 66)])),
            ("slot id 0", replace(SMALL, slots=[slot(0), slot(1)])),
            ("slots that do not ascend", replace(SMALL, slots=[slot(2), slot(1)])),
            ("a slot twice", replace(SMALL, slots=[slot(1), slot(1)])),
            ("a kind of 17 bytes", replace(SMALL, slots=[slot(1), slot(2, kind="x" * 17)])),
            ("parameters of 257 bytes", replace(SMALL, slots=[slot(1, parameters="x" * 257)])),
            ("a slot's wrapped key of 71 bytes", replace(SMALL, slots=[
                slot(1), {**slot(2), "sealed": bytes(71)}])),
            ("a slot's wrapped key of 73 bytes", replace(SMALL, slots=[
                slot(1), {**slot(2), "sealed": bytes(73)}])),
            ("no key", replace(SMALL, keys=[])),
            ("65 keys", replace(SMALL, keys=[
                key_row(n, PRIMARY if n == 1 else DESTROYED) for n in range(1, 66)])),
            ("key id 0", replace(SMALL, keys=[key_row(0, ENABLED), key_row(1)])),
            ("keys that do not ascend", replace(SMALL, keys=two[::-1])),
            ("a key twice", replace(SMALL, keys=[key_row(5), key_row(5, ENABLED)])),
            ("no primary key", replace(SMALL, keys=two[:1])),
            ("two primary keys", replace(SMALL, keys=[key_row(5), key_row(6)])),
            ("purpose 1", replace(SMALL, keys=[key_row(FIRST, purpose=1)])),
            ("purpose 1 of a key that was wrapped as one of purpose 3", replace(
                SMALL, keys=[{**key_row(FIRST), "purpose": 1}])),
            ("suite 2 of a key that was wrapped as one of suite 1", replace(
                SMALL, keys=[{**key_row(FIRST), "suite": 2}])),
            ("suite 2", replace(SMALL, keys=[key_row(FIRST, suite=2)])),
            ("state 0", replace(SMALL, keys=two[1:] + [key_row(7, 0)])),
            ("state 6", replace(SMALL, keys=two[1:] + [key_row(7, 6)])),
            ("a time of 2^63", replace(SMALL, keys=[key_row(FIRST, created=2**63)]))]:
        yield refused(f"{comment}, with a MAC that is right", "headerTampered",
                      *[copy_of(header)] * 2)
    for comment, changed in [
            ("a first byte of 2", b"\x02" + body[1:]),
            ("a first byte of 2 before a former store key", b"\x02" + FORMER_WRAPPED + body[1:]),
            ("a former store key announced and not there", b"\x01" + body[1:]),
            ("a byte behind the last key", body + b"\0"), ("a byte missing", body[:-1]),
            ("an empty body", b""), ("a count of keys that is too great",
                                     body[:keys_at] + u16(2) + body[keys_at + 2:]),
            ("a kind that is not UTF-8", body.replace(b"secret", b"secre\xff"))]:
        yield refused(f"{comment}, with a MAC that is right", "headerTampered",
                      *[copy_of(SMALL, body=changed)] * 2)
    copy = copy_of(SMALL)
    for comment, start in [
            ("a byte behind the body", flip(copy, head.MAC - 1)),
            ("a body longer than its room", copy[:48] + u32(head.MAC - head.BODY + 1) + copy[52:])]:
        yield refused(f"{comment}, with a MAC that is right", "headerTampered",
                      *[head.finish(start[:head.MAC], STORE_KEY, STORE)] * 2)


def key_cases():
    wrapping = keys.wrap_key(STORE_KEY, STORE)
    for row in KEYS[1:4]:
        good = {"comment": f"file key {row['id']}", "expect": "opens", "kind": "fileKey",
                "storeID": STORE, "storeKey": STORE_KEY, "keyID": row["id"], "wrapKey": wrapping,
                "aad": keys.data_key_aad(STORE, row["id"], head.FILE, 1),
                "wrapped": row["wrapped"], "check": row["check"], "key": file_key(row["id"])}
        yield good
    field = keys.wrap(wrapping, bytes_for("file key nonce 0", 24), file_key(SECOND),
                      keys.data_key_aad(STORE, SECOND, 1, 1))
    for comment, changes in [
            ("another id", dict(keyID=FIRST)), ("another store", dict(storeID=OTHER_STORE)),
            ("another store key", dict(storeKey=FORMER)),
            ("the tag changed", dict(wrapped=flip(good["wrapped"], -1))),
            ("wrapped for purpose 1", dict(wrapped=field)),
            ("a bit of the check value", dict(check=flip(good["check"], 31)))]:
        bad = {**good, **changes, "comment": f"file key: {comment}", "expect": "headerTampered"}
        yield {name: value for name, value in bad.items() if name not in ("wrapKey", "aad", "key")}
    good = {"comment": "a former store key", "expect": "opens", "kind": "formerStoreKey",
            "storeID": STORE, "storeKey": STORE_KEY, "wrapped": FORMER_WRAPPED, "wrapKey": wrapping,
            "aad": head.former_aad(STORE), "formerStoreKey": FORMER}
    yield good
    for comment, changes in [
            ("another store", dict(storeID=OTHER_STORE)), ("another store key", dict(storeKey=FORMER)),
            ("the tag changed", dict(wrapped=flip(FORMER_WRAPPED, -1)))]:
        bad = {**good, **changes, "comment": f"former store key: {comment}",
               "expect": "headerTampered"}
        yield {name: value for name, value in bad.items()
               if name not in ("wrapKey", "aad", "formerStoreKey")}


def layout_cases():
    for page_size in head.PAGE_SIZES:
        for page in (2, 1, pages.lock_byte_page(page_size), 0xFFFFFFFE):
            yield {"comment": f"page {page} of {page_size} bytes", "expect": "matches",
                   "kind": "layout", "page": page, "pageSize": page_size,
                   "offset": pages.offset_of(page, page_size),
                   "lockBytePage": 2**30 // page_size + 1}
    for comment, size, page_size, count in [
            ("three pages", 65536 + 3 * 4096, 4096, 3), ("the header alone", 65536, 4096, 0),
            ("a page of 65,536 bytes", 131072, 65536, 1)]:
        yield {"comment": f"size: {comment}", "expect": "matches", "kind": "size", "size": size,
               "pageSize": page_size, "pages": count}
    for comment, size, page_size in [
            ("half a page behind the last", 65536 + 2048, 4096), ("a byte too many", 65537, 1024),
            ("a byte missing", 65536 + 1023, 1024), ("the second copy cut", 65535, 1024),
            ("one copy alone", 32768, 1024), ("nothing", 0, 4096)]:
        yield {"comment": f"size: {comment}", "expect": "truncated", "kind": "size", "size": size,
               "pageSize": page_size}


def cases():
    for group in (opening_cases, choice_cases, tampered_cases, malformed_cases, key_cases,
                  layout_cases):
        yield from group()
