"""Sealed values: place, payload, envelope, blind index. FORMAT.md, "Payload" to "Blind index"."""

import hashlib
import struct
from dataclasses import dataclass

from .primitives import (Refused, gcm_open, gcm_seal, hkdf, lp, mac, u32, xaes_open, xaes_seal)

NONCE_SIZE = {1: 24, 2: 12}
TAG_SIZE = 16
NULL, INTEGER, REAL, TEXT, BLOB = range(5)
TYPE_CODES = {"NULL": NULL, "INTEGER": INTEGER, "REAL": REAL, "TEXT": TEXT, "BLOB": BLOB}
TYPE_NAMES = {code: name for name, code in TYPE_CODES.items()}
FIELD, INDEX = 1, 2
PENDING, PRIMARY, ENABLED, DISABLED, DESTROYED = 1, 2, 3, 4, 5


@dataclass
class RingKey:
    """One key as an opener sees it; `key` is None once destroyed."""
    id: int
    purpose: int
    suite: int
    state: int
    key: bytes


def place_digest(store_id, entity, prop, place="field"):
    """D: a digest, so that the AAD keeps one length whatever the names are."""
    prefix = {"field": b"nacre/field/1", "dao": b"nacre/dao/1"}[place]
    return hashlib.sha256(prefix + store_id + lp(entity) + lp(prop)).digest()


def associated_data(digest, suite, key_id, object_id):
    return digest + bytes([suite]) + u32(key_id) + object_id


# Values are (type code, raw bytes): comparing bytes tells -0.0 from 0.0 and one NaN from another.

def encode_payload(code, raw, padded_size=None):
    """`padded_size` is how many bytes value and zeros take together; None is the plain form."""
    if padded_size is None:
        return bytes([code]) + raw
    return bytes([code | 0x80]) + u32(len(raw)) + raw.ljust(padded_size, b"\0")


def padded_size(policy, count):
    """How many bytes a value of `count` bytes takes with its zeros; None where it is not padded."""
    if policy == "none":
        return None
    whole = 5 + count
    if policy == "bucketed":
        size = 32
        while size < whole:
            size *= 2
        return size - 5
    if policy != "padme":
        raise ValueError(policy)
    if whole <= 16:
        return 16 - 5
    exponent = whole.bit_length() - 1
    step = 2 ** (exponent - exponent.bit_length())
    return (whole + step - 1) // step * step - 5


def decode_payload(payload, declared, hides_nulls):
    if not payload:
        raise Refused("malformedPayload", "empty")
    code, raw = payload[0] & 0x7F, payload[1:]
    if code not in TYPE_NAMES:
        raise Refused("malformedPayload", f"type {code}")
    if payload[0] & 0x80:
        if len(raw) < 4:
            raise Refused("malformedPayload", "no room for the padded length")
        length = int.from_bytes(raw[:4], "big")
        if length > len(raw) - 4:
            raise Refused("malformedPayload", "padded length beyond the payload")
        # Zeros only: otherwise padding is a place to hide bytes that no reader would report.
        if any(raw[4 + length:]):
            raise Refused("malformedPayload", "padding that is not zero")
        raw = raw[4:4 + length]
    if len(raw) != {NULL: 0, INTEGER: 8, REAL: 8}.get(code, len(raw)):
        raise Refused("malformedPayload", f"{len(raw)} bytes of {TYPE_NAMES[code]}")
    if code == NULL and not hides_nulls:
        raise Refused("wrongPayloadType", "NULL where the property does not hide nulls")
    if declared != "ANY" and code not in (NULL, TYPE_CODES[declared]):
        raise Refused("wrongPayloadType", f"{TYPE_NAMES[code]} where {declared} is declared")
    if code == TEXT:
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("malformedPayload", "TEXT that is not UTF-8") from None
    return code, raw


def show(code, raw):
    """A value as the case files write it: see README.md, "Values"."""
    if code == NULL:
        return None
    if code == INTEGER:
        return str(int.from_bytes(raw, "big", signed=True))
    return raw.decode("utf-8") if code == TEXT else raw.hex()


def raw_value(code, shown):
    """The inverse of `show`."""
    if code == NULL:
        return b""
    if code == INTEGER:
        return int(shown).to_bytes(8, "big", signed=True)
    return shown.encode("utf-8") if code == TEXT else bytes.fromhex(shown)


def readable(code, raw):
    """A value for people's eyes."""
    if code == REAL:
        return repr(struct.unpack(">d", raw)[0])
    return "nil" if code == NULL else f"x'{raw.hex()}'" if code == BLOB else repr(
        raw.decode("utf-8")) if code == TEXT else show(code, raw)


def seal(suite, key_id, key, nonce, payload, digest, object_id):
    aad = associated_data(digest, suite, key_id, object_id)
    cipher = {1: xaes_seal, 2: gcm_seal}[suite]
    return bytes([suite]) + u32(key_id) + nonce + cipher(key, nonce, payload, aad)


def parse(envelope):
    """suite, key id, nonce, ciphertext with tag."""
    if len(envelope) < 5 + min(NONCE_SIZE.values()) + TAG_SIZE:
        raise Refused("notAnEnvelope", f"{len(envelope)} bytes")
    suite, key_id = envelope[0], int.from_bytes(envelope[1:5], "big")
    # Text starts above the numbers kept for suites: left in plain, it is not taken for a newer one.
    if not 0x01 <= suite <= 0x1F:
        raise Refused("notAnEnvelope", f"first byte 0x{suite:02x}")
    if suite not in NONCE_SIZE:
        raise Refused("unsupportedSuite", f"0x{suite:02x}")
    head = 5 + NONCE_SIZE[suite]
    if len(envelope) < head + TAG_SIZE or key_id == 0:
        raise Refused("notAnEnvelope", f"{len(envelope)} bytes, key id {key_id}")
    return suite, key_id, envelope[5:head], envelope[head:]


def open_envelope(envelope, ring, digest, object_id):
    """The payload of `envelope`; `ring` is {id: RingKey}."""
    suite, key_id, nonce, sealed = parse(envelope)
    key = ring.get(key_id)
    if key is None:
        raise Refused("unknownKey", str(key_id))
    if key.state == DESTROYED:
        raise Refused("destroyedKey", str(key_id))
    if key.state == DISABLED:
        raise Refused("disabledKey", str(key_id))
    # A key serves one purpose and one suite: the ciphers and the index's HMAC would use the same
    # key in ways not proven together.
    if (key.purpose, key.suite) != (FIELD, suite):
        raise Refused("authenticationFailed", f"key {key_id} is of another purpose or suite")
    aad = associated_data(digest, suite, key_id, object_id)
    return (xaes_open if suite == 1 else gcm_open)(key.key, nonce, sealed, aad)


def index_key(key, store_id, entity, prop, normalizer):
    return hkdf(key, store_id, b"nacre/index/1" + lp(entity) + lp(prop) + lp(normalizer))


def index_value(k, code, normalized, bits):
    if not 1 <= bits <= 256:
        raise Refused("badParameters", f"{bits} bits")
    full = mac(k, bytes([code]) + normalized)
    size = (bits + 7) // 8
    kept = int.from_bytes(full[:size], "big") >> (8 * size - bits) << (8 * size - bits)
    return full, kept.to_bytes(size, "big")
