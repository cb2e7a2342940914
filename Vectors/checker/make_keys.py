"""The cases of keys.json."""

import json
import struct

from . import keys
from .envelope import DESTROYED, DISABLED, ENABLED, FIELD, INDEX, PENDING, PRIMARY
from .labels import bytes_for, flip
from .primitives import mac

STORE, OTHER_STORE = bytes_for("store 1", 16), bytes_for("store 2", 16)
STORE_KEY = bytes_for("store key", 32)
SECRET = bytes_for("slot secret", 32)


def derivation_cases():
    for comment, store in [("a store key", STORE), ("the same key in another store", OTHER_STORE)]:
        yield {"comment": comment, "expect": "matches", "kind": "storeKey", "storeID": store,
               "storeKey": STORE_KEY, "wrapKey": keys.wrap_key(STORE_KEY, store),
               "ringMACKey": keys.ring_mac_key(STORE_KEY, store),
               "journalMACKey": keys.journal_mac_key(STORE_KEY, store),
               "catalogMACKey": keys.catalog_mac_key(STORE_KEY, store)}


def journal_cases():
    rotation = {"id": 1, "kind": "field+index", "from": "0000002a 00000007", "to": "1f000001 80000000",
                "entity": None, "property": None, "phase": "pending", "cursor": None}
    conversion = {"id": 2**63 - 1, "kind": "reseal", "from": "{}", "to": '{"bits":16}',
                  "entity": "Caf\u00e9", "property": "vin", "phase": "converting",
                  "cursor": bytes_for("journal cursor", 16)}
    for comment, row in [
            ("a rotation that has not begun a table", rotation),
            ("a rotation within a table", {**rotation, "entity": "Car", "phase": "sealing",
                                           "cursor": bytes_for("journal cursor", 16)}),
            ("a conversion", conversion),
            ("an empty text and an empty BLOB are not NULL",
             {**conversion, "property": "", "cursor": b""})]:
        made = keys.journal_mac_input(STORE, row)
        good = {"comment": f"journal: {comment}", "expect": "matches", "kind": "journal",
                "storeID": STORE, "storeKey": STORE_KEY, "row": shown(row), "macInput": made,
                "mac": mac(keys.journal_mac_key(STORE_KEY, STORE), made)}
        yield good
    for comment, changes in [
            ("another id", dict(id=1)), ("another kind", dict(kind="unseal")),
            ("another form", dict(to="{}")), ("another phase", dict(phase="clearing")),
            ("NULL for an empty text", dict(property=None)),
            ("NULL for an empty BLOB", dict(cursor=None)),
            ("a text that moved to its neighbour", dict(entity="", property="Caf\u00e9"))]:
        bad = {name: value for name, value in good.items() if name != "macInput"}
        yield {**bad, "comment": f"journal: {comment}", "expect": "ringTampered",
               "row": shown({**row, **changes})}


def anchor_cases():
    for comment, counter, generation in [
            ("the first one of a new store", 1, 1),
            ("numbers that need more than 32 bits", 2**40 + 3, 2**33 + 7),
            ("the greatest numbers of SQLite", 2**63 - 1, 2**63 - 1)]:
        good = {"comment": f"anchor: {comment}", "expect": "matches", "kind": "anchor",
                "storeID": STORE, "storeKey": STORE_KEY, "counter": counter,
                "generation": generation, "anchorKey": keys.anchor_key(STORE_KEY, STORE),
                "macInput": keys.anchor_mac_input(STORE, counter, generation),
                "anchor": keys.anchor(STORE_KEY, STORE, counter, generation),
                "anchorText": keys.anchor_text(STORE, counter, generation)}
        yield good
    anchor = good["anchor"]
    for comment, changes in [
            ("another counter", dict(anchor=flip(anchor, 7))),
            ("another generation", dict(anchor=flip(anchor, 15))),
            ("a bit of the MAC", dict(anchor=flip(anchor, 47))),
            ("a byte missing", dict(anchor=anchor[:-1])),
            ("a byte too many", dict(anchor=anchor + b"\0")),
            ("an empty BLOB", dict(anchor=b"")),
            ("the counter 0, though its MAC is right",
             dict(anchor=keys.anchor(STORE_KEY, STORE, 0, 1))),
            ("another store", dict(storeID=OTHER_STORE)),
            ("another store key", dict(storeKey=flip(STORE_KEY, 0)))]:
        bad = {name: value for name, value in good.items()
               if name not in ("counter", "generation", "anchorKey", "macInput", "anchorText")}
        yield {**bad, **changes, "comment": f"anchor: {comment}", "expect": "ringTampered"}


def text(value):
    return None if value is None else ("text", value.encode("utf-8"))


def catalog_property(entity, name, column, type_name, sealed, kind, **others):
    """The cells of a row of nacre_property; what is not named is NULL."""
    rest = ("target", "join", "inverse", "bits", "normalizer", "unique", "hidesNil", "padding",
            "suite", "optional", "hooked", "hidden", "filled")
    cells = [text(entity), text(name), text(column), text(type_name), sealed, text(kind)]
    return cells + [text(others.get(at)) if isinstance(others.get(at), str) else others.get(at)
                    for at in rest]


def catalog_cases():
    entities = [[text("Caf\u00e9"), text("Caf\u00e9"), 3], [text("Ca"), text("ca r"), 1],
                [text("dao:notes"), text("notes"), 1]]
    properties = [
        catalog_property("Caf\u00e9", "vin", "vin", "TEXT", 1, "value", bits=16,
                         normalizer="casefold/1", unique=0, hidesNil=0, padding="padme", suite=2,
                         optional=1, hooked=0),
        catalog_property("Caf\u00e9", "note", "note", "TEXT", 1, "value", hidesNil=1, padding="none",
                         optional=1, hooked=0, filled=1),
        catalog_property("Ca", "fe", None, "BLOB", 0, "links", target="Caf\u00e9", join="Ca__fe"),
        catalog_property("dao:notes", "body", "body", "ANY", 1, "dao", target="Note",
                         inverse="content", hidesNil=0, padding="none", optional=1)]
    strange = [[2.5, b"table", -1]]
    for comment, number, rows in [
            ("nothing in it", 1, ([], [])),
            ("three entities, to be sorted by their bytes", 2**31 - 1, (entities, properties)),
            ("cells of other classes than they should have", 7, (strange, [[None] * 19]))]:
        made = keys.catalog_bytes(*rows)
        given = keys.catalog_mac_input(STORE, number, made)
        yield {"comment": f"catalog: {comment}", "expect": "matches", "kind": "catalog",
               "storeID": STORE, "storeKey": STORE_KEY, "number": number, **cells(rows),
               "catalog": made, "macInput": given,
               "mac": mac(keys.catalog_mac_key(STORE_KEY, STORE), given)}
    rows = (entities, properties)
    changed = lambda at, to: [properties[0][:at] + [to] + properties[0][at + 1:]] + properties[1:]
    good = keys.catalog_mac_input(STORE, 5, keys.catalog_bytes(*rows))
    wrong = {"expect": "catalogTampered", "kind": "catalog", "storeID": STORE,
             "storeKey": STORE_KEY, "number": 5, **cells(rows),
             "mac": mac(keys.catalog_mac_key(STORE_KEY, STORE), good)}
    for comment, changes in [
            ("another number", dict(number=4)), ("another store", dict(storeID=OTHER_STORE)),
            ("another store key", dict(storeKey=flip(STORE_KEY, 0))),
            ("a bit of the MAC", dict(mac=flip(wrong["mac"], 31))),
            ("a MAC of 31 bytes", dict(mac=wrong["mac"][:-1])), ("no MAC", dict(mac=b"")),
            ("a row removed", cells((entities, properties[1:]))),
            ("a row twice", cells((entities + entities[:1], properties))),
            ("another width", cells((entities, changed(9, 256)))),
            ("a hook", cells((entities, changed(16, 1)))),
            ("NULL for 0", cells((entities, changed(12, None)))),
            ("a text for a number", cells((entities, changed(9, text("16"))))),
            ("a text that moved to its neighbour",
             cells((entities[1:] + [[text("Caf"), text("\u00e9Caf\u00e9"), 3]], properties)))]:
        yield {**wrong, **changes, "comment": f"catalog: {comment}"}


def cells(rows):
    """Rows as JSON has them: a cell is its type, a blank and its value, as those of payloads are shown."""
    def shown_cell(value):
        if value is None:
            return "NULL"
        if isinstance(value, int):
            return f"INTEGER {value}"
        if isinstance(value, float):
            return f"REAL {struct.pack('>d', value).hex()}"
        if isinstance(value, bytes):
            return f"BLOB {value.hex()}"
        return f"TEXT {value[1].decode('utf-8')}"
    return {name: [[shown_cell(cell) for cell in row] for row in of]
            for name, of in zip(("entities", "properties"), rows)}


def shown(row):
    return {**row, "cursor": row["cursor"] if row["cursor"] is None else row["cursor"].hex()}


def parameters(n, salt_label):
    return json.dumps({"kdf": "scrypt", "n": n, "r": 8, "p": 1,
                       "salt": bytes_for(salt_label, 32).hex()}, separators=(",", ":"))


def slot(comment, slot_key, slot_id, kind, given):
    aad = keys.slot_aad(STORE, slot_id)
    nonce = bytes_for(f"slot nonce {comment}", 24)
    return {"comment": comment, "expect": "opens", "kind": kind, "storeID": STORE,
            "slotID": slot_id, **given, "slotKey": slot_key, "aad": aad,
            "sealed": keys.wrap(slot_key, nonce, STORE_KEY, aad), "storeKey": STORE_KEY}


def refused(good, comment, expect, **changes):
    """`good` with changes, and without the members that only what opens can have."""
    kept = {name: value for name, value in good.items()
            if name not in ("slotKey", "aad", "storeKey") or name in changes}
    return {**kept, **changes, "comment": comment, "expect": expect}


def slot_cases():
    from_secret = keys.slot_key_from_secret(SECRET, STORE)
    good = slot("a slot of 32 raw bytes", from_secret, 1, "slotSecret", {"secret": SECRET})
    yield good
    yield slot("the same secret in the slot with the greatest id", from_secret, 0xFFFFFFFF,
               "slotSecret", {"secret": SECRET})
    sealed = good["sealed"]
    for comment, changes in [
            ("another secret", dict(secret=flip(SECRET, 31))),
            ("another slot's id", dict(slotID=2)),
            ("another store", dict(storeID=OTHER_STORE)),
            ("the nonce changed", dict(sealed=flip(sealed, 0))),
            ("the wrapped key changed", dict(sealed=flip(sealed, 24))),
            ("the tag changed", dict(sealed=flip(sealed, -1))),
            ("a byte missing", dict(sealed=sealed[:-1])),
            ("a byte too many", dict(sealed=sealed + b"\0")),
            ("an empty BLOB", dict(sealed=b""))]:
        yield refused(good, f"raw: {comment}", "wrongSecret", **changes)
    yield from passphrase_cases()


def passphrase_cases():
    rows = [("N=2^14, the least that is accepted", "correct horse battery staple", 1 << 14),
            ("N=2^17, what writers use", "correct horse battery staple", 1 << 17),
            ("a passphrase with composed é: nothing is normalised", "caf\u00e9 \U0001f697",
             1 << 14),
            ("blanks at its ends belong to the passphrase", "  two blanks  ", 1 << 14),
            ("a NUL does not end the passphrase", "before\0after", 1 << 14)]
    made = []
    for comment, passphrase, n in rows:
        text = parameters(n, comment)
        made.append(slot(comment, keys.slot_key_from_passphrase(passphrase, text), 2,
                         "slotPassphrase", {"passphrase": passphrase, "parameters": text}))
    yield from made
    good = made[0]
    text = good["parameters"]
    blanks = json.dumps(dict(reversed(json.loads(text).items())), indent=1).replace("\n", "\r\n")
    yield {**good, "parameters": blanks, "comment": "members in another order, with blanks"}
    for comment, case, changes in [
            ("another passphrase", good, dict(passphrase="correct horse battery stapl")),
            ("decomposed é is another passphrase", made[2],
             dict(passphrase="cafe\u0301 \U0001f697")),
            ("without its blanks", made[3], dict(passphrase="two blanks")),
            ("cut at its NUL", made[4], dict(passphrase="before")),
            ("an empty passphrase", good, dict(passphrase="")),
            ("another salt", good, dict(parameters=parameters(1 << 14, "another salt"))),
            ("another N within the bounds", good, dict(parameters=text.replace("16384", "32768"))),
            ("another slot's id", good, dict(slotID=1)),
            ("the tag changed", good, dict(sealed=flip(good["sealed"], -1)))]:
        yield refused(case, f"passphrase: {comment}", "wrongSecret", **changes)
    salt = json.loads(text)["salt"]
    for comment, bad in [
            ("N=2^13: too cheap", text.replace("16384", "8192")),
            ("N=2^21: too dear", text.replace("16384", "2097152")),
            ("N is no power of two", text.replace("16384", "16385")),
            ("N=0", text.replace("16384", "0")),
            ("N negative", text.replace("16384", "-16384")),
            ("N=2^64+2^14, which wraps to 2^14", text.replace("16384", str(2**64 + 2**14))),
            ("N=16384.0", text.replace("16384", "16384.0")),
            ("N=16384e0", text.replace("16384", "16384e0")),
            ("N twice", text.replace('"n":', '"n":16384,"n":')),
            ("an escape in a name", text.replace('"n"', '"\\u006e"')),
            ("N as a string", text.replace("16384", '"16384"')),
            ("r=1", text.replace('"r":8', '"r":1')),
            ("r=1048576", text.replace('"r":8', '"r":1048576')),
            ("p=2", text.replace('"p":1', '"p":2')),
            ("p=0", text.replace('"p":1', '"p":0')),
            ("no N", text.replace('"n":16384,', "")),
            ("no salt", text.replace(f',"salt":"{salt}"', "")),
            ("a salt of 31 bytes", text.replace(salt, salt[:-2])),
            ("a salt of 33 bytes", text.replace(salt, salt + "00")),
            ("a salt that is not hex", text.replace(salt, "zz" + salt[2:])),
            ("an empty salt", text.replace(salt, "")),
            ("another kdf", text.replace("scrypt", "argon2id")),
            ("a member more", text.replace("}", ',"x":1}')),
            ("an array", f"[{text}]"), ("JSON null", "null"), ("no JSON", "scrypt"),
            ("cut JSON", text[:-1]), ("nothing", "")]:
        yield refused(good, f"parameters: {comment}", "badParameters", parameters=bad)


def key_row(key_id, purpose, suite, state, created):
    key = bytes_for(f"data key {key_id}", 32)
    row = {"id": key_id, "purpose": purpose, "suite": suite, "state": state, "created": created,
           "wrapped": None, "check": None}
    if state != DESTROYED:
        row["wrapped"] = keys.wrap(keys.wrap_key(STORE_KEY, STORE),
                                   bytes_for(f"wrap nonce {key_id}", 24), key,
                                   keys.data_key_aad(STORE, key_id, purpose, suite))
        row["check"] = keys.check_value(key, STORE, key_id)
    return row, None if state == DESTROYED else key


def data_key_cases():
    wrapping = keys.wrap_key(STORE_KEY, STORE)
    for key_id, purpose, suite in [(0x1A2B3C4D, FIELD, 1), (0x80000001, FIELD, 2), (1, INDEX, 1)]:
        row, key = key_row(key_id, purpose, suite, PRIMARY, 0)
        good = {"comment": f"key {key_id}: purpose {purpose}, suite {suite}", "expect": "opens",
                "kind": "dataKey", "storeID": STORE, "storeKey": STORE_KEY, "keyID": key_id,
                "purpose": purpose, "suite": suite, "wrapped": row["wrapped"],
                "wrapKey": wrapping, "aad": keys.data_key_aad(STORE, key_id, purpose, suite),
                "key": key}
        yield good
        check = {"comment": f"key {key_id}: its check value", "expect": "matches",
                 "kind": "checkValue", "storeID": STORE, "keyID": key_id, "key": key,
                 "check": row["check"]}
        yield check
    for comment, changes in [("another id", dict(keyID=2)), ("another purpose", dict(purpose=1)),
                             ("another suite", dict(suite=2)),
                             ("another store", dict(storeID=OTHER_STORE)),
                             ("another store key", dict(storeKey=flip(STORE_KEY, 0))),
                             ("the tag changed", dict(wrapped=flip(good["wrapped"], -1))),
                             ("a byte missing", dict(wrapped=good["wrapped"][:-1]))]:
        # storeKey is put back because `refused` takes it for something found.
        changed = {"storeKey": STORE_KEY, **changes}
        case = refused(good, f"wrapped data key: {comment}", "ringTampered", **changed)
        yield {name: value for name, value in case.items() if name not in ("wrapKey", "key")}
    for comment, changes in [("another key", dict(key=flip(key, 0))), ("another id", dict(keyID=2)),
                             ("another store", dict(storeID=OTHER_STORE)),
                             ("a bit of the value", dict(check=flip(check["check"], 31)))]:
        yield {**check, **changes, "comment": f"check value: {comment}", "expect": "ringTampered"}


def ring(comment, generation, pairs, *seals):
    """`seals`: the ids of the keys that a writer takes by default, for each suite, for indexes."""
    rows = [row for row, _ in pairs]
    key, text = keys.ring_mac_key(STORE_KEY, STORE), keys.ring_mac_input(STORE, generation, rows)
    opened = sorted(({"id": row["id"], "key": plain} for row, plain in pairs),
                    key=lambda entry: entry["id"])
    return {"comment": comment, "expect": "opens", "kind": "ring", "storeID": STORE,
            "storeKey": STORE_KEY, "generation": generation, "keys": rows, "ringMAC":
            mac(key, text), "ringMACKey": key, "macInput": text, "opened": opened,
            "seals": dict(zip(("default", "suite1", "suite2", "index"), seals))}


def ring_cases():
    born = 1_733_011_200_000
    pairs = [key_row(0x1A2B3C4D, FIELD, 1, ENABLED, born),
             key_row(0x80000001, FIELD, 2, DISABLED, born + 1),
             key_row(0x00000001, INDEX, 1, PRIMARY, born + 2),
             key_row(0xFFFFFFFE, FIELD, 1, DESTROYED, born + 3),
             key_row(0x7FFFFFFF, FIELD, 1, PRIMARY, born + 4),
             key_row(0x00C0FFEE, FIELD, 1, PENDING, born + 5)]
    nothing = [None] * 4
    yield ring("no key yet", 0, [], *nothing)
    yield ring("one key", 1, pairs[:1], *nothing)
    yield ring("only a tombstone", 9, pairs[3:4], *nothing)
    good = ring("six keys in all states; ids to be sorted as unsigned numbers", 7, pairs,
                0x7FFFFFFF, 0x7FFFFFFF, None, 1)
    yield good
    yield ring("a generation and a time that need more than 32 bits", 2**40 + 3,
               [key_row(5, FIELD, 1, PRIMARY, 2**41)], 5, 5, None, None)
    both = [key_row(10, FIELD, 2, PRIMARY, born), key_row(20, FIELD, 1, PRIMARY, born),
            key_row(30, INDEX, 2, PRIMARY, born), key_row(40, FIELD, 2, ENABLED, born)]
    yield ring("a primary key of each suite: the lower suite is the default, not the lower id", 3,
               both, 20, 20, 10, 30)
    yield ring("suite 1 retired: suite 2 is the default", 4,
               [both[0], key_row(20, FIELD, 1, ENABLED, born), both[2]], 10, None, 10, 30)
    yield ring("suite 2 retired", 4,
               [key_row(10, FIELD, 2, ENABLED, born), *both[1:]], 20, 20, None, 30)

    rows = good["keys"]
    change = lambda at, **values: rows[:at] + [{**rows[at], **values}] + rows[at + 1:]
    revived = {**rows[3], "state": ENABLED, "wrapped": rows[0]["wrapped"],
               "check": rows[0]["check"]}
    for comment, changes in [
            ("an older generation", dict(generation=6)),
            ("a bit of the MAC", dict(ringMAC=flip(good["ringMAC"], 31))),
            ("a MAC of 31 bytes", dict(ringMAC=good["ringMAC"][:-1])),
            ("an empty MAC", dict(ringMAC=b"")),
            ("another store", dict(storeID=OTHER_STORE)),
            ("another store key", dict(storeKey=flip(STORE_KEY, 0))),
            ("a key removed", dict(keys=rows[:1] + rows[2:])),
            ("the tombstone removed", dict(keys=rows[:3] + rows[4:])),
            ("all keys removed", dict(keys=[])),
            ("a key added", dict(keys=rows + [key_row(6, FIELD, 1, ENABLED, born)[0]])),
            ("a disabled key enabled", dict(keys=change(1, state=ENABLED))),
            ("the pending key made primary", dict(keys=change(5, state=PRIMARY))),
            ("a suite that does not exist", dict(keys=change(2, suite=3))),
            ("a key twice", dict(keys=rows + rows[:1])),
            ("a state that does not exist", dict(keys=change(0, state=6))),
            ("the tombstone revived", dict(keys=rows[:3] + [revived] + rows[4:])),
            ("a key destroyed", dict(keys=change(0, state=DESTROYED, wrapped=None, check=None))),
            ("a destroyed key that still has its wrapped key",
             dict(keys=change(3, wrapped=rows[0]["wrapped"]))),
            ("an enabled key without its wrapped key", dict(keys=change(0, wrapped=None))),
            ("another purpose", dict(keys=change(2, purpose=FIELD))),
            ("another suite", dict(keys=change(0, suite=2))),
            ("another time", dict(keys=change(0, created=born + 1))),
            ("another id", dict(keys=change(0, id=0x1A2B3C4E))),
            ("id 0", dict(keys=change(0, id=0))),
            ("two keys' ids exchanged",
             dict(keys=[{**rows[0], "id": rows[4]["id"]}, *rows[1:4],
                        {**rows[4], "id": rows[0]["id"]}, rows[5]])),
            ("a bit of a wrapped key", dict(keys=change(4, wrapped=flip(rows[4]["wrapped"], 30)))),
            ("a bit of a check value", dict(keys=change(4, check=flip(rows[4]["check"], 0)))),
            ("a byte moved from the wrapped key to the check value: the same MAC input", dict(
                keys=change(4, wrapped=rows[4]["wrapped"][:-1],
                            check=rows[4]["wrapped"][-1:] + rows[4]["check"])))]:
        case = {**good, **changes, "comment": f"ring: {comment}", "expect": "ringTampered"}
        yield {name: value for name, value in case.items()
               if name not in ("ringMACKey", "macInput", "opened", "seals")}


def key_file_cases():
    key = bytes_for("key file", 32)
    hexa = key.hex()
    line = f"NACRE-KEY-1 {hexa}"
    for comment, text in [
            ("one line", line + "\n"), ("no line end at the end", line),
            ("capitals", f"NACRE-KEY-1 {hexa.upper()}\n"),
            ("capitals and small letters", f"NACRE-KEY-1 {hexa[:32].upper()}{hexa[32:]}\n"),
            ("comments and blank lines around it",
             f"# made for garage.db\n#\n\n{line}\n\n# keep it safe\n"),
            ("CRLF", f"# made on Windows\r\n\r\n{line}\r\n"),
            ("LF and CRLF mixed", f"# one\r\n# two\n{line}\r\n\n"),
            ("a comment that looks like a key", f"#{line}\n# {line}\n{line}\n"),
            ("a comment that is not ASCII", f"# Schlüssel \U0001f511\n{line}\n")]:
        yield {"comment": f"key file: {comment}", "expect": "opens", "kind": "keyFile",
               "text": text, "key": key}
    for comment, text in [
            ("empty", ""), ("only comments", "# no key\n"), ("only blank lines", "\n\n"),
            ("another header", f"NACRE-KEY-2 {hexa}\n"),
            ("header in small letters", f"nacre-key-1 {hexa}\n"),
            ("no header", f"{hexa}\n"), ("no digits", "NACRE-KEY-1 \n"),
            ("header alone", "NACRE-KEY-1\n"),
            ("62 digits", line[:-2] + "\n"), ("63 digits", line[:-1] + "\n"),
            ("66 digits", line + "00\n"),
            ("a letter that is no digit", line[:-1] + "g\n"),
            ("digits of full width", line[:-1] + "\uff10\n"),
            ("0x before the digits", f"NACRE-KEY-1 0x{hexa[2:]}\n"),
            ("two key lines", f"{line}\nNACRE-KEY-1 {bytes_for('second', 32).hex()}\n"),
            ("the same key line twice", f"{line}\n{line}\n"),
            ("garbage behind the digits", f"{line} garbage\n"),
            ("a comment behind the digits", f"{line} # mine\n"),
            ("a blank behind the digits", f"{line} \n"),
            ("a blank before the header", f" {line}\n"),
            ("a blank before #", f" # comment\n{line}\n"),
            ("a line of one blank", f"{line}\n \n"),
            ("two blanks", f"NACRE-KEY-1  {hexa}\n"), ("a tab", f"NACRE-KEY-1\t{hexa}\n"),
            ("a garbage line behind the key", f"{line}\ngarbage\n"),
            ("a byte order mark", f"\ufeff{line}\n"),
            ("a NUL at the end", f"{line}\n\0"),
            ("CR alone at the end", f"{line}\r"), ("CR CR LF", f"{line}\r\r\n"),
            ("lines ended by CR alone", f"# made long ago\r{line}\r"),
            ("U+2028 as the line end", f"# comment\u2028{line}\n"),
            ("form feed as the line end", f"# comment\f{line}\n"),
            ("digits on two lines", f"NACRE-KEY-1 {hexa[:32]}\n{hexa[32:]}\n")]:
        yield {"comment": f"key file: {comment}", "expect": "badKeyFile", "kind": "keyFile",
               "text": text}


def cases():
    for group in (derivation_cases, slot_cases, data_key_cases, ring_cases, journal_cases,
                  anchor_cases, catalog_cases, key_file_cases):
        yield from group()
