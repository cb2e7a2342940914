"""Writes the three case files that are Nacre's own. Every `expect` is stated here by hand and
checked by cases.py, and every byte follows from a label, so that a run repeats the last."""

import hashlib
import json

from . import make_envelope, make_keys
from . import envelope as env
from .labels import bytes_for

INDEX_CASES = [
    # comment, entity, property, type, value, bits
    ("TEXT, the default of 16 bits", "Car", "plate", "TEXT", "AB-123-C", 16),
    ("TEXT, 128 bits as where the property is unique", "Car", "plate", "TEXT", "AB-123-C", 128),
    ("another property: other bits", "Car", "vin", "TEXT", "AB-123-C", 128),
    ("another entity: other bits", "Truck", "plate", "TEXT", "AB-123-C", 128),
    ("LP keeps 'Carp' + 'late' from 'Car' + 'plate'", "Carp", "late", "TEXT", "AB-123-C", 128),
    ("exact keeps case: other bits than AB-123-C", "Car", "plate", "TEXT", "ab-123-c", 128),
    ("empty TEXT has an index value, unlike nil", "Car", "plate", "TEXT", "", 16),
    ("exact keeps composed é (U+00E9) ...", "Person", "name", "TEXT", "Ren\u00e9", 128),
    ("... from decomposed é (e, U+0301)", "Person", "name", "TEXT", "Rene\u0301", 128),
    ("emoji beyond the BMP", "Person", "name", "TEXT", "\U0001f697\U0001f3fd", 128),
    ("embedded NUL is part of the value", "Person", "name", "TEXT", "a\0b", 128),
    ("names that are not ASCII: LP counts bytes, not characters", "Gerät", "straße", "TEXT", "x",
     128),
    ("INTEGER, 16 bits", "Car", "power", "INTEGER", "200", 16),
    ("INTEGER, 128 bits", "Car", "power", "INTEGER", "200", 128),
    ("INTEGER, negative", "Car", "power", "INTEGER", "-1", 128),
    ("REAL: its 8 bytes", "Car", "price", "REAL", "40c3880000000000", 128),
    ("REAL: -0.0 ...", "Car", "price", "REAL", "8000000000000000", 128),
    ("... is not 0.0", "Car", "price", "REAL", "0000000000000000", 128),
    ("BLOB", "Car", "photo", "BLOB", "00ff10", 128),
    ("BLOB with the bytes of a TEXT: the type byte keeps them apart", "Car", "plate", "BLOB",
     b"AB-123-C".hex(), 128),
    ("nil of a property that hides nulls: type 0 and no value", "Car", "plate", "NULL", None, 16),
]


def index_cases():
    store_id, key = bytes_for("store 1", 16), bytes_for("index key", 32)
    stores = [(store_id, *row) for row in INDEX_CASES]
    stores.append((bytes_for("store 2", 16), "another store: other bits", "Car", "plate", "TEXT",
                   "AB-123-C", 128))
    for store, comment, entity, prop, type_name, value, bits in stores:
        code = env.TYPE_CODES[type_name]
        normalised = env.raw_value(code, value)
        k = env.index_key(key, store, entity, prop, "exact")
        full, index = env.index_value(k, code, normalised, bits)
        yield {"comment": comment, "expect": "matches", "storeID": store, "indexKey": key,
               "entity": entity, "property": prop, "normaliser": "exact", "bits": bits,
               "type": type_name, "value": value, "normalised": normalised, "K": k, "mac": full,
               "index": index}


def text_of(source, cases):
    content = {"source": source, "cases": list(cases)}
    # ASCII only: an editor's or Git's idea of text must not change a case.
    return json.dumps(content, indent=1, default=lambda b: b.hex()) + "\n"


def all_texts():
    """{file name: text}"""
    source = "Nacre, FORMAT.md (format 1), section %s; made by `check.py make`; every key, nonce " \
             "and identifier is SHAKE-128 of a label"
    return {"envelope.json": text_of(source % '"Envelope"', make_envelope.cases()),
            "keys.json": text_of(source % '"Keys"', make_keys.cases()),
            "blind-index.json": text_of(source % '"Blind index"', index_cases())}


def write_all(folder):
    for name, text in all_texts().items():
        (folder / name).write_bytes(text.encode("ascii"))
        print(f"{name}: {len(text)} bytes, sha256 {hashlib.sha256(text.encode()).hexdigest()}")
    return True
