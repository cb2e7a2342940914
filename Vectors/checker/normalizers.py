"""How texts are made comparable for a blind index. FORMAT.md, "Normalizers"."""

import hashlib
import unicodedata

from .primitives import Refused


def nfc(text):
    return unicodedata.normalize("NFC", text)


def casefold(text):
    text = nfc(text)
    # One code point at a time: Python's mappings of a whole string look at a sigma's neighbours.
    for mapping in (str.lower, str.upper, str.lower):
        text = "".join(map(mapping, text))
    return nfc(text)


def digits(text):
    # Not str.isdigit: it takes the digits of every script.
    return "".join(c for c in text if c in "0123456789")


NORMALIZERS = {"exact": lambda text: text, "nfc/1": nfc, "casefold/1": casefold,
               "digits/1": digits}


def normalized(normalizer, is_text, raw):
    """The bytes that are hashed, of a value's bytes; only TEXT is changed."""
    if normalizer not in NORMALIZERS:
        raise Refused("badParameters", f"normalizer {normalizer}")
    return NORMALIZERS[normalizer](raw.decode("utf-8")).encode("utf-8") if is_text else raw


def accumulated():
    """{normalizer: digest} over every code point that Unicode 3.2 had, except private ones.

    That version, because Python keeps its table beside the current one: newer Pythons know more
    code points, and the digest must not change with them.
    """
    early = "".join(c for c in map(chr, range(0x110000))
                    if unicodedata.ucd_3_2_0.category(c) not in ("Cn", "Cs", "Co"))
    return {name: hashlib.sha256(b"\n".join(
        normalized(name, True, c.encode("utf-8")) for c in early)).hexdigest()
        for name in ("nfc/1", "casefold/1")}
