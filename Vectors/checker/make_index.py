"""The cases of blind-index.json."""

from . import envelope as env
from . import normalizers
from .labels import bytes_for

STORE, OTHER_STORE, KEY = (bytes_for(label, size) for label, size in
                           [("store 1", 16), ("store 2", 16), ("index key", 32)])

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

# comment, normalizer, value, what is hashed: stated by hand, not computed.
TEXT_CASES = [
    ("composed é (U+00E9) ...", "nfc/1", "Ren\u00e9", "Ren\u00e9"),
    ("... and decomposed é (e, U+0301) are one", "nfc/1", "Rene\u0301", "Ren\u00e9"),
    ("nothing to change", "nfc/1", "AB-123-C", "AB-123-C"),
    ("empty", "nfc/1", "", ""),
    ("nfc/1 keeps case and blanks", "nfc/1", " Stra\u00dfe ", " Stra\u00dfe "),
    ("the angstrom sign (U+212B) is Å (U+00C5)", "nfc/1", "\u212b", "\u00c5"),
    ("marks are put in order: dot below (220) before dot above (230)", "nfc/1", "q\u0307\u0323",
     "q\u0323\u0307"),
    ("... and compose past each other: s, dot above, dot below is U+1E69", "nfc/1",
     "s\u0307\u0323", "\u1e69"),
    ("a mark blocked by one of its own class stays", "nfc/1", "a\u0301\u0300", "\u00e1\u0300"),
    ("Hangul: three jamo are one syllable", "nfc/1", "\u1112\u1161\u11ab", "\ud55c"),
    ("Hangul: a syllable of two and a final jamo are one of three", "nfc/1", "\uac00\u11b2",
     "\uac0b"),
    ("Hangul: a jamo behind a whole syllable stays", "nfc/1", "\uac01\u11a8", "\uac01\u11a8"),
    ("Hangul: an old vowel composes with nothing", "nfc/1", "\u1112\u1176", "\u1112\u1176"),
    ("a composition that is excluded: U+0958 is two code points", "nfc/1", "\u0958",
     "\u0915\u093c"),
    ("a vowel sign of several marks: U+0F73 takes part in the order", "nfc/1", "\u0345\u0f73",
     "\u0f71\u0f72\u0345"),
    ("a compatibility ideograph with a canonical equivalent", "nfc/1", "\uf900", "\u8c48"),
    ("compatibility is kept: the ligature U+FB01 is not f, i", "nfc/1", "\ufb01", "\ufb01"),
    ("emoji with a joiner and a variation selector", "nfc/1", "\u2764\ufe0f\u200d\U0001f525",
     "\u2764\ufe0f\u200d\U0001f525"),
    ("beyond the BMP: a musical note of two (U+1D15E)", "nfc/1", "\U0001d15e",
     "\U0001d157\U0001d165"),
    ("embedded NUL", "nfc/1", "e\u0301\0", "\u00e9\0"),
    ("capitals", "casefold/1", "AB-123-C", "ab-123-c"),
    ("small letters", "casefold/1", "ab-123-c", "ab-123-c"),
    ("ß ...", "casefold/1", "Stra\u00dfe", "strasse"),
    ("... and SS ...", "casefold/1", "STRASSE", "strasse"),
    ("... and the capital ẞ (U+1E9E) are one", "casefold/1", "STRA\u1e9eE", "strasse"),
    ("final sigma ...", "casefold/1", "\u039f\u03b4\u03cc\u03c2", "\u03bf\u03b4\u03cc\u03c3"),
    ("... is sigma, and a capital one at the end is not final", "casefold/1",
     "\u039f\u0394\u038c\u03a3", "\u03bf\u03b4\u03cc\u03c3"),
    ("İ (U+0130) is i and U+0307, whatever the language", "casefold/1", "\u0130zmir",
     "i\u0307zmir"),
    ("ı (U+0131) is i", "casefold/1", "\u0131", "i"),
    ("composed É ...", "casefold/1", "REN\u00c9", "ren\u00e9"),
    ("... and decomposed é are one", "casefold/1", "rene\u0301", "ren\u00e9"),
    ("ǰ (U+01F0), whose capital is two code points, is composed again", "casefold/1", "\u01f0",
     "\u01f0"),
    ("the ligature ﬃ (U+FB03) is its letters", "casefold/1", "o\ufb03ce", "office"),
    ("the kelvin sign (U+212A) is k", "casefold/1", "\u212a", "k"),
    ("the micro sign (U+00B5) is Greek mu", "casefold/1", "\u00b5", "\u03bc"),
    ("iota subscript becomes a letter of its own", "casefold/1", "\u1fb3", "\u03b1\u03b9"),
    ("a titlecase letter: ǅ (U+01C5)", "casefold/1", "\u01c5", "\u01c6"),
    ("Cherokee has small letters: its capitals become those", "casefold/1", "\u13a0", "\uab70"),
    ("Deseret, beyond the BMP", "casefold/1", "\U00010400", "\U00010428"),
    ("Hangul and emoji have no case", "casefold/1", "\ud55c\U0001f697", "\ud55c\U0001f697"),
    ("empty", "casefold/1", "", ""),
    ("a telephone number with separators ...", "digits/1", "+49 (0)30 / 123-45", "4903012345"),
    ("... and without", "digits/1", "4903012345", "4903012345"),
    ("text without digits is the empty text", "digits/1", "none", ""),
    ("empty", "digits/1", "", ""),
    ("leading zeros stay", "digits/1", "007", "007"),
    ("digits of other scripts and full width are no digits", "digits/1",
     "\u0661\uff12\u00b23", "3"),
]


def matching(comment, normalizer, bits, type_name, value, normalized=None, store=STORE,
             entity="Car", prop="plate"):
    code = env.TYPE_CODES[type_name]
    normalized = env.raw_value(code, value) if normalized is None else normalized.encode("utf-8")
    k = env.index_key(KEY, store, entity, prop, normalizer)
    full, index = env.index_value(k, code, normalized, bits)
    return {"comment": comment, "expect": "matches", "storeID": store, "indexKey": KEY,
            "entity": entity, "property": prop, "normalizer": normalizer, "bits": bits,
            "type": type_name, "value": value, "normalized": normalized, "K": k, "mac": full,
            "index": index}


def exact_cases():
    for comment, entity, prop, type_name, value, bits in INDEX_CASES:
        yield matching(comment, "exact", bits, type_name, value, entity=entity, prop=prop)
    yield matching("another store: other bits", "exact", 128, "TEXT", "AB-123-C",
                   store=OTHER_STORE)


def normalizer_cases():
    for comment, normalizer, value, normalized in TEXT_CASES:
        yield matching(f"{normalizer}: {comment}", normalizer, 128, "TEXT", value, normalized)
    for normalizer in list(normalizers.NORMALIZERS)[1:]:
        other = f"{normalizer}: other types are taken as they are: "
        yield matching(other + "INTEGER", normalizer, 128, "INTEGER", "-200")
        yield matching(other + "REAL", normalizer, 128, "REAL", "40c3880000000000")
        yield matching(other + "BLOB with the bytes of AB-é", normalizer, 128, "BLOB",
                       "41422d65cc81")
        yield matching(f"{normalizer}: nil of a property that hides nulls", normalizer, 128, "NULL",
                       None)


def width_cases():
    for bits in (1, 7, 8, 9, 12, 15, 16, 17, 255, 256):
        yield matching(f"{bits} bits", "exact", bits, "TEXT", "AB-123-C")
    for comment, changes in [("no bits", dict(bits=0)), ("a negative width", dict(bits=-8)),
                             ("more bits than the HMAC has", dict(bits=257)),
                             ("a normalizer of a later version", dict(normalizer="casefold/2")),
                             ("a normalizer in capitals", dict(normalizer="NFC/1")),
                             ("a normalizer without its version", dict(normalizer="nfc")),
                             ("an empty normalizer", dict(normalizer=""))]:
        good = matching(comment, "exact", 16, "TEXT", "AB-123-C")
        kept = {name: value for name, value in good.items()
                if name not in ("normalized", "K", "mac", "index")}
        yield {**kept, **changes, "expect": "badParameters"}


def cases():
    for group in (exact_cases, normalizer_cases, width_cases):
        yield from group()


def accumulated():
    return {"method": "for each code point that Unicode 3.2 had assigned (general category other "
                      "than Cn, Co and Cs in that version), ascending: the text of it alone, "
                      "normalized, in UTF-8; joined by 0A; SHA-256",
            **normalizers.accumulated()}
