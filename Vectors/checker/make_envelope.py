"""The cases of envelope.json."""

import struct

from . import envelope as env
from .labels import bytes_for, flip
from .primitives import u32, xaes_steps

STORE, OTHER_STORE = bytes_for("store 1", 16), bytes_for("store 2", 16)
# A UUIDv7, in RFC 9562's order of bytes: 01939e34-5c00-7abc-8def-0123456789ab.
OBJECT = bytes.fromhex("01939e345c007abc8def0123456789ab")
OTHER_OBJECT = bytes.fromhex("01939e345c017abc8def0123456789ab")
KEY_IDS = {1: 0x1A2B3C4D, 2: 0x80000001}  # the second is negative to whoever reads it as Int32


def key_row(suite, state=env.PRIMARY, purpose=env.FIELD, key_id=None, label=None):
    key_id = KEY_IDS[suite] if key_id is None else key_id
    return {"id": key_id, "purpose": purpose, "suite": suite, "state": state,
            "key": None if state == env.DESTROYED else bytes_for(label or f"key {suite}", 32)}


def sealed(label, suite, payload, place="field", entity="Car", prop="vin", store=STORE,
           object_id=OBJECT, nonce=None, key_id=None, key=None):
    nonce = nonce or bytes_for(f"nonce {label} {suite}", env.NONCE_SIZE[suite])
    digest = env.place_digest(store, entity, prop, place)
    return env.seal(suite, KEY_IDS[suite] if key_id is None else key_id,
                    key or bytes_for(f"key {suite}", 32), nonce, payload, digest, object_id)


def case(comment, expect, envelope, ring, declared="TEXT", hides_nulls=False, place="field",
         entity="Car", prop="vin", store=STORE, object_id=OBJECT):
    """The case in which `envelope` is opened where and with what the arguments say."""
    return {"comment": comment, "expect": expect, "place": place, "storeID": store,
            "entity": entity, "property": prop, "objectID": object_id, "declared": declared,
            "hidesNulls": hides_nulls, "ring": ring, "envelope": envelope}


def intermediates(made, payload):
    """What a reader meets on its way; for cases whose tag verifies."""
    suite, key_id, nonce, _ = env.parse(made["envelope"])
    digest = env.place_digest(made["storeID"], made["entity"], made["property"], made["place"])
    key = next(row["key"] for row in made["ring"] if row["id"] == key_id)
    extra = {"subkey": xaes_steps(key, nonce)["Kx"]} if suite == 1 else {}
    return {"suite": suite, "keyID": key_id, "nonce": nonce, "D": digest,
            "aad": env.associated_data(digest, suite, key_id, made["objectID"]),
            **extra, "payload": payload}


def value_cases():
    """comment, type, value as the cases write it, bytes of value and padding or None."""
    real = lambda x: struct.pack(">d", x).hex()
    yield "INTEGER 0", "INTEGER", "0", None
    yield "INTEGER 1", "INTEGER", "1", None
    yield "INTEGER, negative", "INTEGER", "-2", None
    yield "INTEGER, least", "INTEGER", str(-2**63), None
    yield "INTEGER, greatest", "INTEGER", str(2**63 - 1), None
    yield "INTEGER beyond 2^53, where a double would lose its last digit", "INTEGER", \
        str(2**53 + 1), None
    yield "INTEGER, padded", "INTEGER", "200", 16
    yield "REAL 0.1", "REAL", real(0.1), None
    yield "REAL 0.0", "REAL", real(0.0), None
    yield "REAL -0.0: its sign is kept", "REAL", real(-0.0), None
    yield "REAL, infinity", "REAL", real(float("inf")), None
    yield "REAL, minus infinity", "REAL", real(float("-inf")), None
    yield "REAL, not a number (quiet)", "REAL", "7ff8000000000000", None
    yield "REAL, the least subnormal", "REAL", "0000000000000001", None
    yield "REAL, padded", "REAL", real(2.5), 16
    yield "TEXT", "TEXT", "WVWZZZ1JZXW000001", None
    yield "TEXT, empty: not nil", "TEXT", "", None
    yield "TEXT, emoji of several scalars", "TEXT", "\U0001f468\u200d\U0001f527\U0001f697", None
    yield "TEXT, embedded NUL and a NUL at the end", "TEXT", "a\0b\0", None
    yield "TEXT, decomposed: bytes are kept, nothing is normalised", "TEXT", "Rene\u0301", None
    yield "TEXT with a byte order mark at its start, which is kept", "TEXT", "\ufeffx", None
    yield "TEXT, padded to 32", "TEXT", "AB-123-C", 32
    yield "TEXT, empty and padded to 16", "TEXT", "", 16
    yield "TEXT, padded form without a zero", "TEXT", "0123456789abcdef", 16
    yield "TEXT that ends in NUL, padded: the length keeps value and zeros apart", "TEXT", \
        "ab\0", 16
    yield "BLOB", "BLOB", "00010203fffefdfc", None
    yield "BLOB, empty: not nil", "BLOB", "", None
    yield "BLOB, 4,096 bytes", "BLOB", bytes_for("blob 4096", 4096).hex(), None
    yield "BLOB, padded to 16", "BLOB", "0000", 16
    yield "NULL where the property hides nulls", "NULL", None, None
    yield "NULL, padded as a value of the same property would be", "NULL", None, 32


def opening_cases():
    rows = [(suite, *row) for row in value_cases() for suite in (1, 2)]
    rows.append((1, "BLOB, 65,537 bytes padded to 65,600: the length needs its third byte", "BLOB",
                 bytes_for("blob 65537", 65537).hex(), 65600))
    for suite, comment, type_name, value, padded in rows:
        code = env.TYPE_CODES[type_name]
        payload = env.encode_payload(code, env.raw_value(code, value), padded)
        declared = "TEXT" if type_name == "NULL" else type_name
        made = case(f"suite {suite}: {comment}", "opens", sealed(comment, suite, payload),
                    [key_row(suite)], declared, hides_nulls=type_name == "NULL")
        yield {**made, **intermediates(made, payload), "value": value}


def padding_cases():
    """Every type under every policy, then the lengths at which a policy takes a step."""
    sample = [("NULL", None), ("INTEGER", "200"), ("REAL", "40c3880000000000"),
              ("TEXT", "AB-123-C"), ("BLOB", "00ff10")]
    rows = [(suite, policy, type_name, value, f"{type_name}, padding {policy}")
            for suite in (1, 2) for policy in ("none", "bucketed", "padme")
            for type_name, value in sample]
    # Header and value: 15 to 18, 31 to 33, 64, 65, 255 to 257, 1000, 1025 bytes.
    for size in (10, 11, 12, 13, 26, 27, 28, 59, 60, 250, 251, 252, 995, 1020):
        rows += [(1, policy, "TEXT", "x" * size, f"TEXT of {size} bytes, padding {policy}")
                 for policy in ("bucketed", "padme")]
    for suite, policy, type_name, value, comment in rows:
        code = env.TYPE_CODES[type_name]
        raw = env.raw_value(code, value)
        payload = env.encode_payload(code, raw, env.padded_size(policy, len(raw)))
        made = case(f"suite {suite}: {comment}", "opens", sealed(comment, suite, payload),
                    [key_row(suite)], "TEXT" if type_name == "NULL" else type_name,
                    hides_nulls=type_name == "NULL")
        yield {**made, **intermediates(made, payload), "padding": policy, "value": value}


def two_suite_cases():
    """A ring with a primary key of each suite: each opens its own."""
    payload = env.encode_payload(env.TEXT, b"either suite")
    for suite in (1, 2):
        made = case(f"suite {suite}: one of two primary keys", "opens",
                    sealed("two suites", suite, payload), [key_row(2), key_row(1)])
        yield {**made, **intermediates(made, payload), "value": "either suite"}


def place_cases():
    payload = env.encode_payload(env.TEXT, b"a place")
    places = [
        ("names that are not ASCII", dict(entity="Gerät", prop="straße")),
        ("a name of 300 bytes: LP's first byte counts", dict(entity="E" * 300)),
        ("objectID all zeros: allowed", dict(object_id=bytes(16))),
        ("objectID all ones", dict(object_id=b"\xff" * 16)),
        ("DAO: class and property, objectID 16 zero bytes",
         dict(place="dao", entity="CarRow", object_id=bytes(16))),
    ]
    for comment, place in places:
        for suite in (1, 2):
            made = case(f"suite {suite}: {comment}", "opens",
                        sealed(comment, suite, payload, **place), [key_row(suite)], **place)
            yield {**made, **intermediates(made, payload), "value": "a place"}
    # A DAO declares no type: each has its own.
    for type_name, value in [("INTEGER", "-1"), ("REAL", "3fd5555555555555"), ("BLOB", "00ff")]:
        code = env.TYPE_CODES[type_name]
        typed = env.encode_payload(code, env.raw_value(code, value))
        place = dict(place="dao", entity="Note", prop="content", object_id=bytes(16))
        made = case(f"DAO: a value of class {type_name}", "opens",
                    sealed(f"DAO {type_name}", 1, typed, **place), [key_row(1)],
                    declared=type_name, **place)
        yield {**made, **intermediates(made, typed), "value": value}
    # The ring's states: what opens though it no longer, or not yet, seals.
    for state, name in [(env.PENDING, "pending"), (env.ENABLED, "enabled")]:
        made = case(f"under a key that is {name}", "opens", sealed(name, 1, payload),
                    [key_row(2), key_row(1, state)])
        yield {**made, **intermediates(made, payload), "value": "a place"}
    # One subkey serves a transaction: two envelopes that share nonce[0..<12].
    for number in (1, 2):
        nonce = bytes_for("shared prefix", 12) + bytes_for(f"shared prefix, tail {number}", 12)
        made = case(f"one of two whose nonces share their first 12 bytes ({number})", "opens",
                    sealed("", 1, payload, nonce=nonce), [key_row(1)])
        yield {**made, **intermediates(made, payload), "value": "a place"}
    made = case("under the greatest key id", "opens",
                sealed("id", 1, payload, key_id=0xFFFFFFFF), [key_row(1, key_id=0xFFFFFFFF)])
    yield {**made, **intermediates(made, payload), "value": "a place"}


def moved_cases():
    """Whole envelopes, opened where they do not belong."""
    payload = env.encode_payload(env.TEXT, b"stays where it is")
    moves = [("another objectID", dict(object_id=OTHER_OBJECT)),
             ("objectID with the first three fields little-endian, as a GUID's",
              dict(object_id=bytes.fromhex("349e9301005cbc7a8def0123456789ab"))),
             ("another property", dict(prop="plate")), ("another entity", dict(entity="Truck")),
             ("another store", dict(store=OTHER_STORE)),
             ("names cut elsewhere: 'Carv' + 'in'", dict(entity="Carv", prop="in")),
             ("a field opened as a DAO's", dict(place="dao")),
             ("names in another case", dict(entity="car"))]
    for suite in (1, 2):
        for comment, place in moves:
            yield case(f"suite {suite}: {comment}", "authenticationFailed",
                       sealed(f"moved {comment}", suite, payload), [key_row(suite)], **place)
    home = dict(place="dao", entity="Note", prop="content", object_id=bytes(16))
    for comment, place in [
            ("another property", dict(prop="title")), ("another class", dict(entity="Memo")),
            ("another store", dict(store=OTHER_STORE)), ("opened as a field", dict(place="field")),
            ("names cut elsewhere: 'Notec' + 'ontent'", dict(entity="Notec", prop="ontent")),
            ("an objectID that is not zeros", dict(object_id=OTHER_OBJECT))]:
        yield case(f"a DAO's value: {comment}", "authenticationFailed",
                   sealed(f"DAO moved {comment}", 1, payload, **home), [key_row(1)],
                   **{**home, **place})


def tampered_cases():
    payload = env.encode_payload(env.TEXT, b"thirty-two bytes and some more of text")
    for suite in (1, 2):
        good, nonce_at, ring = sealed("tampered", suite, payload), 5, [key_row(suite)]
        other = [key_row(suite), key_row(suite, env.ENABLED, key_id=7, label="another key")]
        text_at = nonce_at + env.NONCE_SIZE[suite]
        changes = [("a bit of the tag's first byte", flip(good, -16), ring),
                   ("the last bit of the tag", flip(good, -1), ring),
                   ("the tag all zeros", good[:-16] + bytes(16), ring),
                   ("the nonce's first byte", flip(good, nonce_at), ring),
                   ("the nonce's last byte", flip(good, text_at - 1), ring),
                   ("the ciphertext's first byte", flip(good, text_at), ring),
                   ("the ciphertext's last byte", flip(good, -17), ring),
                   ("one byte too many", good + b"\0", ring),
                   ("the last byte missing", good[:-1], ring),
                   ("four bytes of the tag missing: a 12-byte tag is no tag", good[:-4], ring),
                   ("the suite byte changed to the other suite",
                    bytes([3 - suite]) + good[1:], ring),
                   ("the key id changed to another key's", good[:1] + u32(7) + good[5:], other)]
        for comment, blob, keys in changes:
            yield case(f"suite {suite}: {comment}", "authenticationFailed", blob, keys)
        yield case(f"suite {suite}: right id, but another key behind it", "authenticationFailed",
                   good, [key_row(suite, label="another key")])
    yield case("the tag verifies, but the key is one of suite 2: a key serves one suite",
               "authenticationFailed", sealed("suite of the key", 1, payload),
               [{**key_row(1), "suite": 2}])


def shape_cases():
    text = env.encode_payload(env.TEXT, b"x")
    yield case("empty BLOB", "notAnEnvelope", b"", [key_row(1)])
    for suite in (1, 2):
        good, head = sealed("cut", suite, text), 5 + env.NONCE_SIZE[suite]
        cuts = [("only the suite", 1), ("cut within the key id", 3), ("suite and key id", 5),
                ("cut within the nonce", head - 1), ("cut after the nonce", head),
                ("one byte less than nonce and tag need", head + 15)]
        for comment, size in cuts:
            yield case(f"suite {suite}: {comment} ({size} bytes)", "notAnEnvelope", good[:size],
                       [key_row(suite)])
        yield case(f"suite {suite}: the shortest that can be one ({head + 16} bytes), its tag "
                   "wrong", "authenticationFailed", good[:head + 16], [key_row(suite)])
        for byte in (0x03, 0x1F, 0x00, 0x20, 0x80 | suite, 0xFF):
            expect = "unsupportedSuite" if byte in (0x03, 0x1F) else "notAnEnvelope"
            yield case(f"suite {suite}: suite byte 0x{byte:02x}", expect,
                       bytes([byte]) + good[1:], [key_row(suite)])
        yield case(f"suite {suite}: a key id that the ring does not have", "unknownKey",
                   flip(good, 4), [key_row(suite)])
        yield case(f"suite {suite}: key id 0", "notAnEnvelope", good[:1] + u32(0) + good[5:],
                   [key_row(suite)])
        yield case(f"suite {suite}: an empty ring", "unknownKey", good, [])
        yield case(f"suite {suite}: the tag verifies, but the key is one for indexes",
                   "authenticationFailed", good, [key_row(suite, purpose=env.INDEX)])
        yield case(f"suite {suite}: the key is disabled", "disabledKey", good,
                   [key_row(suite, env.DISABLED)])
        yield case(f"suite {suite}: the key is destroyed", "destroyedKey", good,
                   [key_row(suite, env.DESTROYED)])
    short = sealed("short", 2, text)
    yield case("a short envelope of suite 2 with suite byte 1: too short for that suite",
               "notAnEnvelope", b"\x01" + short[1:], [key_row(2)])
    yield case("plain TEXT 'SECRET: plain text in the sealed column' as a BLOB",
               "notAnEnvelope", b"SECRET: plain text in the sealed column", [key_row(1)])


def payload_cases():
    """Envelopes that verify, and hold what no writer of format 1 writes."""
    bad, wrong = "malformedPayload", "wrongPayloadType"
    padded = lambda code, length, rest: bytes([0x80 | code]) + u32(length) + rest
    rows = [
        ("empty payload", bad, b"", "TEXT", False),
        ("unknown type 5", bad, b"\x05x", "TEXT", False),
        ("unknown type 0x7f", bad, b"\x7fx", "TEXT", False),
        ("unknown type 6, padded", bad, padded(6, 1, b"x\0"), "TEXT", False),
        ("bit 6 of the type set", bad, b"\x43x", "TEXT", False),
        ("INTEGER of 7 bytes", bad, b"\x01" + bytes(7), "INTEGER", False),
        ("INTEGER of 9 bytes: a trailing byte", bad, b"\x01" + bytes(9), "INTEGER", False),
        ("INTEGER without a value", bad, b"\x01", "INTEGER", False),
        ("REAL of 4 bytes", bad, b"\x02" + bytes(4), "REAL", False),
        ("REAL of 9 bytes: a trailing byte", bad, b"\x02" + bytes(9), "REAL", False),
        ("NULL with a trailing byte", bad, b"\x00\x00", "TEXT", True),
        ("padded NULL with a length of 1", bad, padded(0, 1, bytes(8)), "TEXT", True),
        ("padded INTEGER with a length of 7", bad, padded(1, 7, bytes(8)), "INTEGER", False),
        ("padded, cut within its length", bad, b"\x83\x00\x00\x00", "TEXT", False),
        ("padded, nothing behind the type", bad, b"\x83", "TEXT", False),
        ("padded, a length of one byte more than there is", bad, padded(3, 5, b"abcd"), "TEXT",
         False),
        ("padded, a length of 0xffffffff", bad, padded(3, 0xFFFFFFFF, b"abcd"), "TEXT", False),
        ("padded, a length of 0x80000000", bad, padded(4, 0x80000000, b"abcd"), "BLOB", False),
        ("padding with a byte that is not zero, first", bad, padded(3, 2, b"ab\1\0\0"), "TEXT",
         False),
        ("padding with a byte that is not zero, last", bad, padded(3, 2, b"ab\0\0\1"), "TEXT",
         False),
        ("padded INTEGER with a byte that is not zero behind it", bad,
         padded(1, 8, bytes(8) + b"\1"), "INTEGER", False),
        ("TEXT that is not UTF-8", bad, b"\x03\xff\xfe", "TEXT", False),
        ("TEXT cut within a scalar", bad, b"\x03\xe2\x82", "TEXT", False),
        ("TEXT with a surrogate", bad, b"\x03\xed\xa0\x80", "TEXT", False),
        ("TEXT with NUL in two bytes (overlong)", bad, b"\x03\xc0\x80", "TEXT", False),
        ("INTEGER where TEXT is declared", wrong, b"\x01" + bytes(8), "TEXT", False),
        ("INTEGER where REAL is declared: nothing is converted", wrong, b"\x01" + bytes(8),
         "REAL", False),
        ("REAL where INTEGER is declared", wrong, b"\x02" + bytes(8), "INTEGER", False),
        ("BLOB where TEXT is declared", wrong, b"\x04abc", "TEXT", False),
        ("TEXT where BLOB is declared", wrong, b"\x03abc", "BLOB", False),
        ("padded TEXT where BLOB is declared", wrong, padded(3, 2, b"ab\0"), "BLOB", False),
        ("NULL where the property does not hide nulls", wrong, b"\x00", "TEXT", False),
        ("padded NULL where the property does not hide nulls", wrong, padded(0, 0, bytes(8)),
         "TEXT", False),
    ]
    for number, (comment, expect, payload, declared, hides) in enumerate(rows):
        for suite in (1, 2) if number % 8 == 0 else (1,):
            made = case(f"suite {suite}: {comment}", expect, sealed(comment, suite, payload),
                        [key_row(suite)], declared, hides)
            yield {**made, **intermediates(made, payload)}


def cases():
    for group in (opening_cases, place_cases, moved_cases, tampered_cases, shape_cases,
                  payload_cases, padding_cases, two_suite_cases):
        yield from group()
