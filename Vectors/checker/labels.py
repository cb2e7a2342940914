"""Bytes for cases: without chance, and without anybody's choice."""

import hashlib


def bytes_for(label, size):
    return hashlib.shake_128(b"nacre vectors/" + label.encode("utf-8")).digest(size)


def flip(data, at, bit=0x01):
    """`data` with one bit of byte `at` changed; a negative `at` counts from the end."""
    changed = bytearray(data)
    changed[at] ^= bit
    return bytes(changed)
