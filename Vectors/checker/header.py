"""The header of a sealed file: its two copies, their choice, slots, file keys. SEALED-FILE.md."""

import hmac
from dataclasses import dataclass

from . import keys
from .envelope import DESTROYED, PRIMARY
from .primitives import Refused, hkdf, mac, sha256, u16, u32, u64

COPY, PAGES, BODY, MAC, SHA = 32_768, 65_536, 52, 32_704, 32_736
VERSION, FILE, LIMIT = 2, 3, 64
PAGE_SIZES = [1 << bits for bits in range(10, 17)]


def magic(letters):
    return b"\x89NACRE\r\n\x1a\n" + letters + b"\0\0"


@dataclass
class Header:
    """What one copy says. `slots` have id, kind, parameters and sealed; `keys` have the members of
    a ring's key. The order of both is that of the file."""
    page_size: int
    store_id: bytes
    sequence: int
    former: bytes
    slots: list
    keys: list


def tampered(detail):
    return Refused("headerTampered", detail)


def header_mac_key(store_key, store_id):
    return hkdf(store_key, store_id, b"nacre/header/1")


def former_aad(store_id):
    return b"nacre/former/1" + store_id


def lp(data):
    return u16(len(data)) + data


def build_body(header):
    out = bytes([header.former is not None]) + (header.former or b"")
    out += u16(len(header.slots))
    for slot in header.slots:
        out += u32(slot["id"]) + lp(slot["kind"].encode()) + lp(slot["parameters"].encode())
        out += lp(slot["sealed"])
    out += u16(len(header.keys))
    for key in header.keys:
        out += u32(key["id"]) + bytes([key["purpose"], key["suite"], key["state"]])
        out += u64(key["created"])
        if key["state"] != DESTROYED:
            out += key["wrapped"] + key["check"]
    return out


def build(header, store_key, version=VERSION, body=None):
    """The 32,768 bytes of a copy."""
    body = build_body(header) if body is None else body
    out = magic(b"file") + u32(version) + u32(header.page_size) + header.store_id
    return finish((out + u64(header.sequence) + u32(len(body)) + body).ljust(MAC, b"\0"),
                  store_key, header.store_id)


def finish(start, store_key, store_id):
    """A copy from its first 32,704 bytes: with the MAC, then with the digest."""
    out = start + mac(header_mac_key(store_key, store_id), b"nacre/header/1" + start)
    return out + sha256(out)


class Reader:
    """Takes fields off a body, one behind the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if self.at + size > len(self.data):
            raise tampered("a body that ends within a field")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "big")

    def lp(self, most):
        size = self.number(2)
        if size > most:
            raise tampered(f"a field of {size} bytes")
        return self.take(size)

    def text(self, most):
        try:
            return self.lp(most).decode("utf-8")
        except UnicodeDecodeError:
            raise tampered("a text that is not UTF-8") from None


def parse_slot(reader):
    slot = {"id": reader.number(4), "kind": reader.text(16), "parameters": reader.text(256),
            "sealed": reader.lp(keys.WRAPPED_SIZE)}
    if len(slot["sealed"]) != keys.WRAPPED_SIZE:
        raise tampered("a slot without a wrapped key")
    return slot


def parse_key(reader):
    key = {"id": reader.number(4), "purpose": reader.number(1), "suite": reader.number(1),
           "state": reader.number(1), "created": reader.number(8), "wrapped": None, "check": None}
    if (key["purpose"], key["suite"]) != (FILE, 1) or not 1 <= key["state"] <= DESTROYED \
            or key["created"] >= 1 << 63:
        raise tampered(f"a field of key {key['id']}")
    if key["state"] != DESTROYED:
        key["wrapped"], key["check"] = reader.take(keys.WRAPPED_SIZE), reader.take(32)
    return key


def several(reader, parse):
    """1 to 64 of them, ids ascending: so none is repeated, and only the first could be 0."""
    count = reader.number(2)
    if not 1 <= count <= LIMIT:
        raise tampered(f"{count} slots or keys")
    found = [parse(reader) for _ in range(count)]
    ids = [one["id"] for one in found]
    if ids[0] == 0 or ids != sorted(set(ids)):
        raise tampered("ids that do not ascend from 1")
    return found


def parse(copy):
    """The Header of a copy whose digest is right and whose version is 2; its MAC is not looked at."""
    page_size, sequence, size = (int.from_bytes(copy[at:end], "big")
                                 for at, end in [(20, 24), (40, 48), (48, 52)])
    if page_size not in PAGE_SIZES:
        raise tampered(f"pages of {page_size} bytes")
    if not 1 <= sequence < 1 << 63:
        raise tampered(f"sequence number {sequence}")
    if size > MAC - BODY or any(copy[BODY + size:MAC]):
        raise tampered("a body that is too long, or bytes behind it")
    reader = Reader(copy[BODY:BODY + size])
    has_former = reader.number(1)
    if has_former > 1:
        raise tampered("neither with nor without a former store key")
    former = reader.take(keys.WRAPPED_SIZE) if has_former else None
    header = Header(page_size, copy[24:40], sequence, former, several(reader, parse_slot),
                    several(reader, parse_key))
    if reader.at != size:
        raise tampered("bytes behind the last key")
    if [key["state"] for key in header.keys].count(PRIMARY) != 1:
        raise tampered("not exactly one primary key")
    return header


def is_sealed(start):
    """Whether one of the copies begins as a sealed file's."""
    return any(start[at:at + 16] == magic(b"file") for at in (0, COPY))


def choose(start):
    """(number of the copy that decides, the copy, the numbers of the copies that count) of a file's
    first 65,536 bytes."""
    if not is_sealed(start):
        raise Refused("notSealed")
    found = {}
    for number in (1, 2):
        copy = start[(number - 1) * COPY:number * COPY]
        if len(copy) == COPY and copy[:16] == magic(b"file") \
                and sha256(copy[:SHA]) == copy[SHA:]:
            found[number] = copy
    if not found:
        raise Refused("headerDamaged", "no copy has the digest that it states")
    sequence = lambda number: int.from_bytes(found[number][40:48], "big")
    if len(found) == 2 and sequence(1) == sequence(2) and found[1] != found[2]:
        raise tampered("two copies of one sequence number that differ")
    best = max(found, key=lambda number: (sequence(number), -number))
    if int.from_bytes(found[best][16:20], "big") != VERSION:
        raise Refused("newerFormat")
    return best, found[best], sorted(found)


def written_first(start):
    """The copy that the next change of the header writes first."""
    return 3 - choose(start)[0]  # Of two that are alike, `choose` takes the first.


def unlock(header, secret):
    """The store key, from the first slot of kind `secret` that opens."""
    slot_key = keys.slot_key_from_secret(secret, header.store_id)
    for slot in header.slots:
        if slot["kind"] == "secret":
            try:
                return keys.unwrap_store_key(slot_key, slot["sealed"], header.store_id, slot["id"])
            except Refused:
                continue
    raise Refused("wrongSecret", f"{len(header.slots)} slots in the header")


def verify(copy, header, store_key):
    """{id: file key, None for a destroyed one}, and the former store key or None."""
    made = mac(header_mac_key(store_key, header.store_id), b"nacre/header/1" + copy[:MAC])
    if not hmac.compare_digest(made, copy[MAC:SHA]):
        raise tampered("the MAC differs")
    wrapping, opened, former = keys.wrap_key(store_key, header.store_id), {}, None
    for row in header.keys:
        opened[row["id"]] = None
        if row["state"] != DESTROYED:
            opened[row["id"]] = open_key(wrapping, header.store_id, row)
    if header.former is not None:
        former = keys.unwrap(wrapping, header.former, former_aad(header.store_id),
                             "headerTampered")
    return opened, former


def open_key(wrapping, store_id, row):
    key = keys.unwrap(wrapping, row["wrapped"],
                      keys.data_key_aad(store_id, row["id"], FILE, row["suite"]), "headerTampered")
    if not hmac.compare_digest(keys.check_value(key, store_id, row["id"]), row["check"]):
        raise tampered(f"the check value of key {row['id']}")
    return key


def check_sequence(header, least):
    """`least` is the row headerSequence of nacre_store."""
    if type(least) is not int or least < 1 or header.sequence < least:
        raise tampered(f"header of sequence {header.sequence}, and headerSequence is {least!r}")
