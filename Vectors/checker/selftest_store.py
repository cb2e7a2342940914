"""Stores made by hand, whole and harmed: the checker must open the whole and notice each harm."""

import hashlib
import json
import sqlite3
import subprocess
import sys

from . import envelope as env
from . import keys, normalizers
from .columns import quoted
from .labels import bytes_for, flip
from .primitives import mac, u32
from .store import CATALOG_COLUMNS, catalog_rows

STORE, STORE_KEY, SECRET = (bytes_for(f"selftest {x}", n) for x, n in
                            [("store", 16), ("store key", 32), ("secret", 32)])
TABLE_NAME = "car's \"own\""  # a name that careless quoting would break
TABLE = quoted(TABLE_NAME)
PRIMARY, OLD, GONE, INDEX, SECOND, OLD_INDEX = 0x90000001, 7, 8, 9, 10, 11
KEYS = [(PRIMARY, env.FIELD, 1, env.PRIMARY), (OLD, env.FIELD, 2, env.ENABLED),
        (GONE, env.FIELD, 1, env.DESTROYED), (INDEX, env.INDEX, 1, env.PRIMARY),
        (SECOND, env.FIELD, 2, env.PRIMARY), (OLD_INDEX, env.INDEX, 2, env.ENABLED)]
TABLES = f"""
CREATE TABLE nacre_store (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE nacre_slot (id INTEGER PRIMARY KEY, kind TEXT, parameters TEXT, sealed BLOB);
CREATE TABLE nacre_key (id INTEGER PRIMARY KEY, purpose INTEGER, suite INTEGER, state INTEGER,
  created INTEGER, sealed BLOB, "check" BLOB, seals INTEGER);
CREATE TABLE nacre_entity (name TEXT PRIMARY KEY, "table" TEXT, version INTEGER);
CREATE TABLE nacre_property (entity TEXT, name TEXT, "column" TEXT, type TEXT, sealed INTEGER,
  bits INTEGER, normalizer TEXT, "unique" INTEGER, hidesNil INTEGER, padding TEXT, suite INTEGER,
  optional INTEGER, hooked INTEGER, filled INTEGER);
CREATE TABLE nacre_rotation (id INTEGER PRIMARY KEY, kind TEXT, entity TEXT, property TEXT,
  phase TEXT, finished INTEGER);
CREATE TABLE {TABLE} (objectID BLOB PRIMARY KEY, name TEXT, vin BLOB, vin__index BLOB, power BLOB,
  power__index BLOB, price BLOB, photo BLOB, photo__index BLOB, note BLOB) WITHOUT ROWID;
CREATE TABLE Wheel (objectID BLOB PRIMARY KEY, size INTEGER) WITHOUT ROWID;
"""
PROPERTIES = [
    # name, type, sealed, bits, normalizer, unique, hidesNil, padding, suite, optional, hooked
    ("name", "TEXT", 0, None, None, None, None, None, None, 1, None),
    ("vin", "TEXT", 1, 12, "casefold/1", 0, 0, "none", None, 1, 0),
    ("power", "INTEGER", 1, 128, "exact", 1, 0, "padme", 1, 0, 0),
    ("price", "REAL", 1, None, None, 0, 0, "none", 2, 0, 0),
    ("photo", "BLOB", 1, 16, "exact", 0, 1, "bucketed", None, 1, 0),
    ("note", "TEXT", 1, None, None, 0, 0, "none", None, 1, 1)]


def object_id(number):
    return bytes_for(f"selftest object {number}", 16)


def data_key(key_id):
    return bytes_for(f"selftest key {key_id}", 32)


def key_rows():
    for key_id, purpose, suite, state in KEYS:
        wrapped = check = None
        if state != env.DESTROYED:
            wrapped = keys.wrap(keys.wrap_key(STORE_KEY, STORE),
                                bytes_for(f"selftest wrap {key_id}", 24), data_key(key_id),
                                keys.data_key_aad(STORE, key_id, purpose, suite))
            check = keys.check_value(data_key(key_id), STORE, key_id)
        yield {"id": key_id, "purpose": purpose, "suite": suite, "state": state,
               "created": 1_733_011_200_000, "wrapped": wrapped, "check": check}


def ring_mac(rows):
    return mac(keys.ring_mac_key(STORE_KEY, STORE), keys.ring_mac_input(STORE, 3, rows))


def sealed(prop, number, type_name, value, key_id=PRIMARY, suite=1, nonce=None, padding="none"):
    code = env.TYPE_CODES[type_name]
    raw = env.raw_value(code, value)
    payload = env.encode_payload(code, raw, env.padded_size(padding, len(raw)))
    nonce = nonce or bytes_for(f"selftest nonce {prop} {number}", env.NONCE_SIZE[suite])
    return env.seal(suite, key_id, data_key(key_id), nonce, payload,
                    env.place_digest(STORE, "Car", prop), object_id(number))


def token(prop, type_name, value, key_id=INDEX, normalizer=None):
    """An index value; `normalizer` is what is done to the value, if not what the property says."""
    code = env.TYPE_CODES[type_name]
    bits, named = next(row[3:5] for row in PROPERTIES if row[0] == prop)
    raw = normalizers.normalized(normalizer or named, code == env.TEXT, env.raw_value(code, value))
    return env.index_value(env.index_key(data_key(key_id), STORE, "Car", prop, named), code, raw,
                           bits)[1]


def car(n):
    """The cells of row n; row 3 has no vin, row 4 no photo."""
    old = {"key_id": OLD, "suite": 2} if n < 2 else {}
    photo = ("NULL", None) if n == 4 else ("BLOB", "00ff" * n)
    return (object_id(n), f"car {n}",
            None if n == 3 else sealed("vin", n, "TEXT", f"VIN {n}", **old),
            None if n == 3 else token("vin", "TEXT", f"VIN {n}"),
            sealed("power", n, "INTEGER", str(-n), padding="padme"),
            token("power", "INTEGER", str(-n)),
            sealed("price", n, "REAL", "7ff8000000000000", key_id=SECOND, suite=2),
            sealed("photo", n, *photo, padding="bucketed"), token("photo", *photo),
            b"what a provider makes of it")


def fill(db):
    rows = list(key_rows())
    db.executescript("PRAGMA journal_mode = WAL;" + TABLES)
    db.executemany("INSERT INTO nacre_store VALUES (?, ?)", [
        ("format", 1), ("storeID", STORE), ("ringGeneration", 3), ("ringMAC", ring_mac(rows))])
    scrypt = {"kdf": "scrypt", "n": 131072, "r": 8, "p": 1, "salt": "00" * 32}
    slot_key = keys.slot_key_from_secret(SECRET, STORE)
    db.executemany("INSERT INTO nacre_slot VALUES (?, ?, ?, ?)", [
        (1, "passphrase", json.dumps(scrypt), bytes(72)), (2, "secret", "", bytes(72)),
        (5, "secret", "", keys.wrap(slot_key, bytes_for("selftest slot", 24), STORE_KEY,
                                    keys.slot_aad(STORE, 5)))])
    db.executemany("INSERT INTO nacre_key VALUES (:id, :purpose, :suite, :state, :created, "
                   ":wrapped, :check, 0)", rows)
    db.executemany("INSERT INTO nacre_entity VALUES (?, ?, 1)",
                   [("Car", TABLE_NAME), ("Wheel", "Wheel")])
    insert = f"INSERT INTO nacre_property VALUES (?, ?, ?{', ?' * 10}, NULL)"
    db.executemany(insert, [("Car", row[0], *row) for row in PROPERTIES])
    db.execute(insert, ("Wheel", "size", "size", "INTEGER", 0) + (None,) * 8)
    db.execute("INSERT INTO nacre_rotation VALUES (1, 'field', NULL, NULL, 'done', "
               "1733011200000)")
    for n in range(5):
        db.execute(f"INSERT INTO {TABLE} VALUES (?{', ?' * 9})", car(n))
    db.commit()


def put(column, value, number=2):
    """What puts `value` into one cell."""
    return lambda db: db.execute(f"UPDATE {TABLE} SET {column} = ? WHERE objectID = ?",
                                 (value, object_id(number)))


def sql(text):
    return lambda db: db.execute(text)


def both(*harms):
    return lambda db: [harm(db) for harm in harms]


def set_state(key_id, state):
    """A defective writer's ring: its MAC is right."""
    def harm(db):
        rows = [{**row, "state": state} if row["id"] == key_id else row for row in key_rows()]
        db.execute("UPDATE nacre_key SET state = ? WHERE id = ?", (state, key_id))
        db.execute("UPDATE nacre_store SET value = ? WHERE name = 'ringMAC'", (ring_mac(rows),))
    return harm


def put_anchor(harm):
    anchor = harm(keys.anchor(STORE_KEY, STORE, 5, 3))
    return lambda db: db.execute("INSERT INTO nacre_store VALUES ('anchor', ?)", (anchor,))


def before_the_columns(db):
    """As the first stores of format 1 were: what they lack is taken for NULL."""
    db.executescript(
        "DELETE FROM nacre_property WHERE hooked = 1; DROP TABLE nacre_rotation;"
        'CREATE TABLE first AS SELECT entity, name, "column", type, sealed FROM nacre_property;'
        "DROP TABLE nacre_property; ALTER TABLE first RENAME TO nacre_property;")


def dao_table(value, entity="dao:no'tes", target="Note", harm=None):
    """Adds a DAO's table: rows -3 and 7 hold Note.content, `value` is put into row 7, row 8 is NULL."""
    def add(db):
        for column in ("kind", "target", "inverse"):
            db.execute(f"ALTER TABLE nacre_property ADD COLUMN {column} TEXT")
        db.execute("INSERT INTO nacre_entity VALUES (?, ?, 1)", (entity, "no'tes"))
        db.execute('INSERT INTO nacre_property (entity, name, "column", type, sealed, hidesNil, '
                   "padding, optional, kind, target, inverse) VALUES (?, 'body', 'body', 'ANY', 1, "
                   "0, 'none', 1, 'dao', ?, 'content')", (entity, target))
        db.execute("""CREATE TABLE "no'tes" (id INTEGER PRIMARY KEY, body TEXT)""")
        rows = [(-3, dao_sealed("INTEGER", "-3")), (7, value), (8, None)]
        db.executemany("""INSERT INTO "no'tes" VALUES (?, ?)""", rows)
        if harm:
            db.execute(harm)
    return add


def dao_sealed(type_name, value, entity="Note", prop="content", place="dao", identity=bytes(16)):
    code = env.TYPE_CODES[type_name]
    return env.seal(1, PRIMARY, data_key(PRIMARY), bytes_for(f"selftest dao {type_name}", 24),
                    env.encode_payload(code, env.raw_value(code, value)),
                    env.place_digest(STORE, entity, prop, place), identity)


def dao_cases():
    text = dao_sealed("TEXT", "VIN 2")
    failed = "authenticationFailed"
    yield "a DAO's table", None, dao_table(text)
    yield "a DAO's table: a REAL", None, dao_table(dao_sealed("REAL", "7ff8000000000000"))
    yield "a DAO's table: a tampered value", failed, dao_table(flip(text, -1))
    yield "a DAO's table: another class", failed, dao_table(dao_sealed("TEXT", "x", entity="Memo"))
    yield "a DAO's table: another property", failed, dao_table(dao_sealed("TEXT", "x", prop="body"))
    yield "a DAO's table: an entity's value", failed, dao_table(dao_sealed("TEXT", "x", place="field"))
    yield "a DAO's table: an objectID", failed, \
        dao_table(dao_sealed("TEXT", "x", identity=object_id(1)))
    yield "a DAO's table: plain text", "notAnEnvelope", dao_table("VIN 2")
    yield "a DAO's table: a sealed NULL", "wrongPayloadType", dao_table(dao_sealed("NULL", None))
    yield "a DAO's table: a repeated nonce", "nonceRepeated", \
        dao_table(dao_sealed("INTEGER", "-3"))
    yield "a DAO's table without a class", "not the form", dao_table(text, target=None)
    yield "a DAO's table under another name", "not the form", dao_table(text, entity="notes")
    yield "a DAO's column that is gone", "no such column", \
        dao_table(text, harm="""ALTER TABLE "no'tes" RENAME COLUMN body TO text""")
    yield "a DAO's column that is remembered", None, dao_table(
        text, harm="INSERT INTO nacre_property (entity, name, type, sealed, kind, target, inverse) "
        "VALUES ('dao:', '4:Memo.text', 'ANY', 0, 'dao', 'Memo', 'text')")


def value_cases():
    """What is done to the store, and what the output must then contain; None where it is whole."""
    vin = sealed("vin", 2, "TEXT", "VIN 2")
    used_nonce = bytes_for("selftest nonce power 0", 24)
    yield "whole", None, lambda db: None
    yield "seals is outside the MAC", None, sql("UPDATE nacre_key SET seals = 4096")
    yield "from before the columns of indexes", None, before_the_columns
    yield "a tampered value", "authenticationFailed", put("vin", flip(vin, -1))
    yield "a value from another row", "authenticationFailed", \
        put("vin", sealed("vin", 4, "TEXT", "VIN 4"))
    yield "two values copied from other rows", "2 values do not open", lambda db: db.executescript(
        "".join(f"UPDATE {TABLE} SET {c} = (SELECT {c} FROM {TABLE} b WHERE b.objectID = "
                f"x'{object_id(o).hex()}') WHERE objectID = x'{object_id(n).hex()}';"
                for n, o, c in [(2, 4, "vin"), (0, 1, "power")]))
    yield "a value from another property", "authenticationFailed", \
        put("vin", sealed("power", 2, "INTEGER", "-2"))
    yield "plain TEXT", "notAnEnvelope", put("vin", "VIN 2")
    yield "a plain INTEGER", "notAnEnvelope", put("power", 5)
    yield "an envelope stored as TEXT", "notAnEnvelope", put("vin", vin.hex())
    yield "an empty BLOB", "notAnEnvelope", put("vin", b"")
    yield "a plain BLOB", "notAnEnvelope", put("photo", b"\xff\xd8" * 50)
    yield "an unknown suite", "unsupportedSuite", put("vin", b"\x03" + vin[1:])
    yield "an unknown key", "unknownKey", put("vin", vin[:1] + u32(6) + vin[5:])
    yield "a destroyed key", "destroyedKey", put("vin", vin[:1] + u32(GONE) + vin[5:])
    yield "a key for indexes", "authenticationFailed", put("vin", vin[:1] + u32(INDEX) + vin[5:])
    yield "the type of another property", "wrongPayloadType", \
        put("vin", sealed("vin", 2, "INTEGER", "5"))
    yield "a repeated nonce", "nonceRepeated", \
        put("vin", sealed("vin", 2, "TEXT", "x", nonce=used_nonce))
    yield "what a provider seals is not looked at", None, put("note", "anything")
    yield "a provider's property that became one of the ring's", "notAnEnvelope", \
        sql("UPDATE nacre_property SET hooked = 0")
    yield "SQL NULL in a property that hides nulls", None, \
        both(put("photo", None), put("photo__index", None))
    yield "a hidden nil in a property that does not hide it", "wrongPayloadType", \
        put("price", sealed("price", 2, "NULL", None, key_id=SECOND, suite=2))
    yield "SQL NULL where nil is not allowed", "unexpectedNil", put("price", None)
    yield "a hidden nil where nil is not allowed", "unexpectedNil", \
        sql("UPDATE nacre_property SET optional = 0 WHERE name = 'photo'")


def index_cases():
    wrong = "wrongIndex"
    right = token("vin", "TEXT", "VIN 2")
    old = put("vin__index", token("vin", "TEXT", "VIN 2", key_id=OLD_INDEX))
    yield "a bit of an index value", wrong, put("vin__index", flip(right, 0))
    yield "a bit of an index value beyond its width", wrong, put("vin__index", flip(right, 1))
    yield "an index value that is longer", wrong, put("vin__index", right + b"\0")
    yield "no index value", wrong, put("vin__index", None)
    yield "an index value as TEXT", wrong, put("vin__index", right.hex())
    yield "the index value of another row", wrong, \
        put("power__index", token("power", "INTEGER", "-3"))
    yield "an index value without its normalizer", wrong, \
        put("vin__index", token("vin", "TEXT", "VIN 2", normalizer="exact"))
    yield "an index value beside SQL NULL", wrong, put("vin__index", right, number=3)
    yield "a hidden nil without its index value", wrong, put("photo__index", None, number=4)
    yield "a hidden nil with the index value of an empty BLOB", wrong, \
        put("photo__index", token("photo", "BLOB", ""), number=4)
    yield "an index value under an older key", wrong, old
    yield "an index value under an older key, while a rotation is unfinished", None, \
        both(old, sql("UPDATE nacre_rotation SET finished = NULL"))
    yield "an index value under a disabled key, while a rotation is unfinished", wrong, \
        both(old, sql("UPDATE nacre_rotation SET finished = NULL"),
             set_state(OLD_INDEX, env.DISABLED))
    conversion = "INSERT INTO nacre_rotation VALUES (2, 'reseal', 'Car', '{}', '{}', NULL)"
    yield "a property that is being converted", None, \
        both(put("vin__index", None), sql(conversion.format("vin", "verifying")))
    yield "another property that is being converted", wrong, \
        both(put("vin__index", None), sql(conversion.format("photo", "converting")))
    yield "a property that has been converted", wrong, \
        both(put("vin__index", None), sql(conversion.format("vin", "clearing")))
    yield "an index of no bits", "index of 0 bits", \
        sql("UPDATE nacre_property SET bits = 0 WHERE name = 'vin'")
    yield "an unknown normalizer", "normalizer 'casefold/2'", \
        sql("UPDATE nacre_property SET normalizer = 'casefold/2' WHERE name = 'vin'")
    yield "another normalizer", wrong, \
        sql("UPDATE nacre_property SET normalizer = 'nfc/1' WHERE name = 'vin'")
    yield "another width", wrong, sql("UPDATE nacre_property SET bits = 11 WHERE name = 'vin'")
    yield "an index without a column", "no column for its index", \
        sql("UPDATE nacre_property SET bits = 16, normalizer = 'exact' WHERE name = 'price'")
    yield "an index without a key", "no primary key for indexes", set_state(INDEX, env.ENABLED)


def ring_cases():
    yield "a key's state changed", "ringTampered", \
        sql("UPDATE nacre_key SET state = 4 WHERE id = 7")
    yield "two primary keys of a suite", "more than one primary", set_state(OLD, env.PRIMARY)
    yield "two primary keys for indexes, though of two suites", "more than one primary", \
        set_state(OLD_INDEX, env.PRIMARY)
    yield "an older generation", "ringTampered", \
        sql("UPDATE nacre_store SET value = 2 WHERE name = 'ringGeneration'")
    yield "a tombstone deleted", "ringTampered", sql("DELETE FROM nacre_key WHERE state = 5")
    yield "a check value changed", "ringTampered", \
        sql('UPDATE nacre_key SET "check" = zeroblob(32) WHERE id = 7')
    yield "the slot deleted", "wrongSecret", sql("DELETE FROM nacre_slot WHERE id = 5")
    yield "the slot renumbered", "wrongSecret", sql("UPDATE nacre_slot SET id = 6 WHERE id = 5")
    yield "a slot with a costly scrypt", "badParameters", sql(
        "UPDATE nacre_slot SET parameters = replace(parameters, '131072', '2097152') WHERE id = 1")
    yield "another storeID", "wrongSecret", \
        sql("UPDATE nacre_store SET value = zeroblob(16) WHERE name = 'storeID'")
    yield "a newer format", "format 2", \
        sql("UPDATE nacre_store SET value = 2 WHERE name = 'format'")
    yield "an anchor", None, put_anchor(lambda anchor: anchor)
    yield "an anchor's counter changed", "ringTampered", put_anchor(lambda anchor: flip(anchor, 7))
    yield "an anchor that is a number", "ringTampered", put_anchor(lambda anchor: 5)
    yield "no MAC", "ringMAC", sql("DELETE FROM nacre_store WHERE name = 'ringMAC'")
    yield "a sealed column that is gone", "no such column", \
        sql("""UPDATE nacre_property SET "column" = 'vim' WHERE name = 'vin'""")
    yield "an entity that is gone", "of no entity", \
        sql("DELETE FROM nacre_entity WHERE name = 'Car'")
    yield "a table that is gone", "no such table", sql("DROP TABLE Wheel")


def with_mac(number=1, harm=None, store_key=STORE_KEY, before=None):
    """Gives the catalog its MAC under a number of the ring's, and then harms it."""
    def give(db):
        if before:
            before(db)
        generation = (number << 32) + 3
        ring = mac(keys.ring_mac_key(STORE_KEY, STORE),
                   keys.ring_mac_input(STORE, generation, list(key_rows())))
        made = keys.catalog_bytes(*(catalog_rows(db, table) for table in CATALOG_COLUMNS))
        given = mac(keys.catalog_mac_key(store_key, STORE),
                    keys.catalog_mac_input(STORE, number, made))
        db.executemany("INSERT OR REPLACE INTO nacre_store VALUES (?, ?)", [
            ("ringGeneration", generation), ("ringMAC", ring), ("catalog", made),
            ("catalogMAC", given)])
        if harm:
            harm(db)
    return give


def catalog_cases():
    wrong = "catalogTampered"
    filled = sql("UPDATE nacre_property SET filled = 1 WHERE name = 'photo'")
    yield "a catalog with a MAC", None, with_mac()
    yield "a catalog with a MAC and fewer columns", None, with_mac(before=before_the_columns)
    yield "a catalog's MAC that is gone", wrong, \
        with_mac(harm=sql("DELETE FROM nacre_store WHERE name = 'catalogMAC'"))
    yield "a catalog's copy that is gone", wrong, \
        with_mac(harm=sql("DELETE FROM nacre_store WHERE name = 'catalog'"))
    yield "a catalog's MAC under another key", wrong, with_mac(store_key=SECRET)
    yield "a catalog of another number", wrong, with_mac(harm=lambda db: db.execute(
        "UPDATE nacre_store SET value = ? WHERE name = 'catalogMAC'",
        (mac(keys.catalog_mac_key(STORE_KEY, STORE), keys.catalog_mac_input(
            STORE, 2, keys.catalog_bytes(*(catalog_rows(db, t) for t in CATALOG_COLUMNS)))),)))
    yield "a hook that somebody wrote into the catalog", wrong, \
        with_mac(harm=sql("UPDATE nacre_property SET hooked = 1 WHERE name = 'vin'"))
    yield "a property that somebody took out of the catalog", wrong, \
        with_mac(harm=sql("DELETE FROM nacre_property WHERE name = 'vin'"))
    yield "an entity's table in the catalog", wrong, \
        with_mac(harm=sql("""UPDATE nacre_entity SET "table" = 'Car' WHERE name = 'Wheel'"""))
    yield "the ring's word of the catalog taken away", "ringTampered", \
        with_mac(harm=sql("UPDATE nacre_store SET value = 3 WHERE name = 'ringGeneration'"))
    yield "SQL NULL where every nil is sealed", "unhiddenNil", \
        both(put("photo", None), put("photo__index", None), with_mac(before=filled))


def run_check(folder, *arguments):
    done = subprocess.run([sys.executable, str(folder / "check.py"), *map(str, arguments)],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_stores(folder, temporary):
    """Complaints."""
    key_file, other = temporary / "store.key", temporary / "other.key"
    key_file.write_text(f"# selftest\nNACRE-KEY-1 {SECRET.hex()}\n")
    other.write_text(f"NACRE-KEY-1 {flip(SECRET, 0).hex()}\n")
    runs = []
    for number, (name, wanted, harm) in enumerate(
            [*value_cases(), *dao_cases(), *index_cases(), *ring_cases(),
             *catalog_cases()]):
        path = temporary / f"store {number}?#%.db"  # a name that a careless URI would break
        db = sqlite3.connect(path)
        fill(db)
        harm(db)
        db.commit()
        db.close()
        runs.append((name, wanted, path, key_file))
    runs += [("another secret", "wrongSecret", runs[0][2], other),
             ("a key file that is none", "badKeyFile", runs[0][2], runs[0][2]),
             ("no key file", "No such file", runs[0][2], temporary / "none"),
             ("no store", "no such file", temporary / "none", key_file),
             ("a file that is no store", "not a database", key_file, key_file)]
    for name, wanted, path, key in runs:
        before = hashlib.sha256(path.read_bytes()).digest() if path.exists() else None
        code, output = run_check(folder, "store", path, "--key-file", key)
        if code != (1 if wanted else 0) or (wanted or "ok: every") not in output \
                or "Traceback" in output:
            yield f"store, {name}: exit {code}, {output}"
        if before and hashlib.sha256(path.read_bytes()).digest() != before:
            yield f"store, {name}: the file was written to"
        if "VIN" in output:
            yield f"store, {name}: a value was shown unasked"
    _, output = run_check(folder, "store", runs[0][2], "--key-file", key_file, "--reveal")
    for shown in ("vin = 'VIN 2'", "power = -2", "price = nan", "photo = nil", "x'00ff00ff'",
                  "note (TEXT): sealed by the application's own provider, not checked",
                  "index of 12 bits (casefold/1)"):
        if shown not in output:
            yield f"store, --reveal does not show {shown}"
    print(f"store: {len(runs)} runs")
