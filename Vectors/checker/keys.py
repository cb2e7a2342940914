"""Slots, wrapped keys, check values, ring MAC, key files. FORMAT.md, "Keys" to "Key file"."""

import hmac
import json
import re
import struct

from .envelope import DESTROYED, FIELD, INDEX, PRIMARY
from .primitives import (Refused, hkdf, hkdf_expand, lp, mac, scrypt, u32, u64, xaes_open, xaes_seal)

WRAPPED_SIZE = 24 + 32 + 16
ANCHOR_SIZE = 8 + 8 + 32


def wrap_key(store_key, store_id):
    return hkdf(store_key, store_id, b"nacre/wrap/1")


def ring_mac_key(store_key, store_id):
    return hkdf(store_key, store_id, b"nacre/ring-mac/1")


def journal_mac_key(store_key, store_id):
    return hkdf(store_key, store_id, b"nacre/journal/1")


def journal_mac_input(store_id, row):
    """`row` is a dict with id, kind, from, to, entity, property, phase and cursor, which is bytes."""
    out = b"nacre/journal/1" + store_id + u64(row["id"])
    for name in ("kind", "from", "to", "entity", "property", "phase"):
        out += bytes([row[name] is not None]) + lp(row[name] or "")
    cursor = row["cursor"]
    return out + bytes([cursor is not None]) + u32(len(cursor or b"")) + (cursor or b"")


def anchor_key(store_key, store_id):
    return hkdf(store_key, store_id, b"nacre/anchor/1")


def anchor_mac_input(store_id, counter, generation):
    return b"nacre/anchor/1" + store_id + u64(counter) + u64(generation)


def anchor(store_key, store_id, counter, generation):
    """The 48 bytes in the file."""
    made = mac(anchor_key(store_key, store_id), anchor_mac_input(store_id, counter, generation))
    return u64(counter) + u64(generation) + made


def verify_anchor(store_key, store_id, value):
    """(counter, generation), or raises ringTampered."""
    if not isinstance(value, bytes) or len(value) != ANCHOR_SIZE:
        raise Refused("ringTampered", "the form of the anchor")
    counter, generation = (int.from_bytes(value[at:at + 8], "big") for at in (0, 8))
    if counter == 0 or not hmac.compare_digest(anchor(store_key, store_id, counter, generation),
                                               value):
        raise Refused("ringTampered", "the anchor's MAC differs")
    return counter, generation


def anchor_text(store_id, counter, generation):
    return f"nacre-anchor-1:{store_id.hex()}:{generation}:{counter}"


def catalog_mac_key(store_key, store_id):
    return hkdf(store_key, store_id, b"nacre/catalog/1")


def catalog_mac_input(store_id, number, catalog):
    return b"nacre/catalog/1" + store_id + u64(number) + catalog


def catalog_number(generation):
    return generation >> 32


def catalog_cell(value):
    """A cell as SQLite has it: None, int, float, bytes for a BLOB, and for a TEXT ("text", its bytes)."""
    if value is None:
        return bytes([0])
    if isinstance(value, int):
        return bytes([1]) + value.to_bytes(8, "big", signed=True)
    if isinstance(value, float):
        return bytes([2]) + struct.pack(">d", value)
    code, data = (4, value) if isinstance(value, bytes) else (3, value[1])
    return bytes([code]) + u32(len(data)) + data


def catalog_bytes(entities, properties):
    """Each a list of rows, and each row a list of cells, in the page's order of columns."""
    out = b""
    for rows in (entities, properties):
        made = sorted(b"".join(map(catalog_cell, row)) for row in rows)
        out += u32(len(made)) + b"".join(made)
    return out


def slot_key_from_secret(secret, store_id):
    return hkdf(secret, store_id, b"nacre/slot-key/1")


def scrypt_parameters(text):
    """n, r, p, salt: nothing authenticates them, so all are checked before a byte is allocated."""
    def once(pairs):
        if len(pairs) != len(dict(pairs)):
            raise ValueError
        return dict(pairs)

    # Without escapes the text can be read by hand in any language, and in one way only.
    try:
        given = json.loads(text if "\\" not in text else "", object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise Refused("badParameters", "not JSON") from None
    if not isinstance(given, dict) or set(given) != {"kdf", "n", "r", "p", "salt"}:
        raise Refused("badParameters", "members")
    n, r, p, salt = (given[name] for name in ("n", "r", "p", "salt"))
    # type(), not isinstance: True is an int to Python.
    if given["kdf"] != "scrypt" or any(type(x) is not int for x in (n, r, p)):
        raise Refused("badParameters", "kdf or numbers")
    if not 1 << 14 <= n <= 1 << 20 or n & (n - 1) or (r, p) != (8, 1):
        raise Refused("badParameters", "cost")
    if not isinstance(salt, str) or not re.fullmatch("[0-9a-fA-F]{64}", salt):
        raise Refused("badParameters", "salt")
    return n, r, p, bytes.fromhex(salt)


def slot_key_from_passphrase(passphrase, parameters):
    n, r, p, salt = scrypt_parameters(parameters)
    return scrypt(passphrase.encode("utf-8"), salt, n, r, p)


def slot_aad(store_id, slot_id):
    return b"nacre/slot/1" + store_id + u32(slot_id)


def data_key_aad(store_id, key_id, purpose, suite):
    return b"nacre/key/1" + store_id + u32(key_id) + bytes([purpose, suite])


def wrap(key, nonce, plain, aad):
    return nonce + xaes_seal(key, nonce, plain, aad)


def unwrap(key, wrapped, aad, failure):
    if len(wrapped) != WRAPPED_SIZE:
        raise Refused(failure, f"{len(wrapped)} bytes of wrapped key")
    try:
        return xaes_open(key, wrapped[:24], wrapped[24:], aad)
    except Refused:
        raise Refused(failure) from None


def unwrap_store_key(slot_key, wrapped, store_id, slot_id):
    return unwrap(slot_key, wrapped, slot_aad(store_id, slot_id), "wrongSecret")


def unwrap_data_key(wrapping, wrapped, store_id, key_id, purpose, suite):
    return unwrap(wrapping, wrapped, data_key_aad(store_id, key_id, purpose, suite),
                  "ringTampered")


def check_value(key, store_id, key_id):
    # Expand without Extract: a data key is already uniform, so it can be the PRK itself.
    return hkdf_expand(key, b"nacre/kcv/1" + store_id + u32(key_id))


def ring_mac_input(store_id, generation, rows):
    """`rows` are dicts with id, purpose, suite, state, created and, unless destroyed, wrapped
    and check."""
    out = b"nacre/ring/1" + store_id + u64(generation)
    for row in sorted(rows, key=lambda row: row["id"]):
        out += u32(row["id"]) + bytes([row["purpose"], row["suite"], row["state"]])
        out += u64(row["created"])
        if row["state"] != DESTROYED:
            out += row["wrapped"] + row["check"]
    return out


def verify_ring(store_key, store_id, generation, rows, expected_mac):
    """Raises ringTampered, or returns {id: key bytes, None for a destroyed key}."""
    for row in rows:
        gone = row["state"] == DESTROYED
        sizes = [None if row[name] is None else len(row[name]) for name in ("wrapped", "check")]
        # Before the MAC, only because concatenated fields of other sizes could read as others.
        if sizes != ([None, None] if gone else [WRAPPED_SIZE, 32]):
            raise Refused("ringTampered", f"the form of key {row['id']}")
        if not (1 <= row["id"] < 1 << 32 and row["purpose"] in (1, 2)
                and row["suite"] in (1, 2) and 1 <= row["state"] <= 5
                and 0 <= row["created"] < 1 << 63):
            raise Refused("ringTampered", f"a field of key {row['id']}")
    if len({row["id"] for row in rows}) != len(rows):
        raise Refused("ringTampered", "one id twice")
    found = mac(ring_mac_key(store_key, store_id), ring_mac_input(store_id, generation, rows))
    if not hmac.compare_digest(found, expected_mac):
        raise Refused("ringTampered", "the MAC differs")
    wrapping, keys = wrap_key(store_key, store_id), {}
    for row in rows:
        key = None
        if row["state"] != DESTROYED:
            key = unwrap_data_key(wrapping, row["wrapped"], store_id, row["id"], row["purpose"],
                                  row["suite"])
            if not hmac.compare_digest(check_value(key, store_id, row["id"]), row["check"]):
                raise Refused("ringTampered", f"the check value of key {row['id']}")
        keys[row["id"]] = key
    return keys


def sealing_keys(rows):
    """The ids of the keys that a writer takes: by default, for each suite, and for indexes."""
    primary = {(row["purpose"], row["suite"]): row["id"] for row in rows
               if row["state"] == PRIMARY}
    first, second = primary.get((FIELD, 1)), primary.get((FIELD, 2))
    return {"default": second if first is None else first, "suite1": first, "suite2": second,
            "index": primary.get((INDEX, 1), primary.get((INDEX, 2)))}


def read_key_file(data):
    """The 32 bytes of a key file's text, taken as bytes: str methods know too many line ends."""
    lines = data.split(b"\n")
    # What follows the last LF has no line end, so a CR there belongs to the line.
    lines = [line[:-1] if line.endswith(b"\r") else line for line in lines[:-1]] + lines[-1:]
    left = [line for line in lines if line and not line.startswith(b"#")]
    if len(left) != 1:
        raise Refused("badKeyFile", f"{len(left)} lines where one key is expected")
    match = re.fullmatch(rb"NACRE-KEY-1 ([0-9a-fA-F]{64})", left[0])
    if not match:
        raise Refused("badKeyFile", "not a line NACRE-KEY-1 with 64 hex digits")
    return bytes.fromhex(match[1].decode())
