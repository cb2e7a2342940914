"""Proves that the checker finds what it should: stores made by hand, whole and harmed, and every
kind of member of every case file changed once."""

import contextlib
import copy
import hashlib
import io
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from . import cases, keys, make
from . import envelope as env
from .labels import bytes_for, flip
from .primitives import mac, u32
from .store import quoted

STORE, STORE_KEY, SECRET = (bytes_for(f"selftest {x}", n) for x, n in
                            [("store", 16), ("store key", 32), ("secret", 32)])
TABLE_NAME = "car's \"own\""  # a name that careless quoting would break
TABLE = quoted(TABLE_NAME)
PRIMARY, OLD, GONE, INDEX = 0x90000001, 7, 8, 9
TABLES = f"""
CREATE TABLE nacre_store (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE nacre_slot (id INTEGER PRIMARY KEY, kind TEXT, parameters TEXT, sealed BLOB);
CREATE TABLE nacre_key (id INTEGER PRIMARY KEY, purpose INTEGER, suite INTEGER, state INTEGER,
  created INTEGER, sealed BLOB, "check" BLOB, seals INTEGER);
CREATE TABLE nacre_entity (name TEXT PRIMARY KEY, "table" TEXT, version INTEGER);
CREATE TABLE nacre_property (entity TEXT, name TEXT, "column" TEXT, type TEXT, sealed INTEGER);
CREATE TABLE {TABLE} (objectID BLOB PRIMARY KEY, name TEXT, vin BLOB, power BLOB,
  price BLOB, photo BLOB, vin__index BLOB) WITHOUT ROWID;
CREATE TABLE Wheel (objectID BLOB PRIMARY KEY, size INTEGER) WITHOUT ROWID;
"""


def object_id(number):
    return bytes_for(f"selftest object {number}", 16)


def data_key(key_id):
    return bytes_for(f"selftest key {key_id}", 32)


def key_rows():
    for key_id, purpose, suite, state in [
            (PRIMARY, env.FIELD, 1, env.PRIMARY), (OLD, env.FIELD, 2, env.ENABLED),
            (GONE, env.FIELD, 1, env.DESTROYED), (INDEX, env.INDEX, 1, env.PRIMARY)]:
        wrapped = check = None
        if state != env.DESTROYED:
            wrapped = keys.wrap(keys.wrap_key(STORE_KEY, STORE),
                                bytes_for(f"selftest wrap {key_id}", 24), data_key(key_id),
                                keys.data_key_aad(STORE, key_id, purpose, suite))
            check = keys.check_value(data_key(key_id), STORE, key_id)
        yield {"id": key_id, "purpose": purpose, "suite": suite, "state": state,
               "created": 1_733_011_200_000, "wrapped": wrapped, "check": check}


def sealed(prop, number, type_name, value, key_id=PRIMARY, suite=1, nonce=None, padded=None):
    code = env.TYPE_CODES[type_name]
    payload = env.encode_payload(code, env.raw_value(code, value), padded)
    nonce = nonce or bytes_for(f"selftest nonce {prop} {number}", env.NONCE_SIZE[suite])
    return env.seal(suite, key_id, data_key(key_id), nonce, payload,
                    env.place_digest(STORE, "Car", prop), object_id(number))


def fill(db):
    rows = list(key_rows())
    db.executescript("PRAGMA journal_mode = WAL;" + TABLES)
    db.executemany("INSERT INTO nacre_store VALUES (?, ?)", [
        ("format", 1), ("storeID", STORE), ("ringGeneration", 3),
        ("ringMAC", mac(keys.ring_mac_key(STORE_KEY, STORE),
                        keys.ring_mac_input(STORE, 3, rows)))])
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
    db.executemany("INSERT INTO nacre_property VALUES (?, ?, ?, ?, ?)", [
        ("Car", "name", "name", "TEXT", 0), ("Car", "vin", "vin", "TEXT", 1),
        ("Car", "power", "power", "INTEGER", 1), ("Car", "price", "price", "REAL", 1),
        ("Car", "photo", "photo", "BLOB", 1), ("Wheel", "size", "size", "INTEGER", 0)])
    for n in range(5):
        old = {"key_id": OLD, "suite": 2} if n < 2 else {}
        db.execute(f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?, ?, ?, ?)", (
            object_id(n), f"car {n}",
            None if n == 3 else sealed("vin", n, "TEXT", f"VIN {n}", **old),
            sealed("power", n, "INTEGER", str(-n)), sealed("price", n, "REAL", "7ff8000000000000"),
            sealed("photo", n, "NULL", None, padded=32) if n == 4 else
            sealed("photo", n, "BLOB", "00ff" * n, padded=32), None))
    db.commit()


def put(column, value, number=2):
    """What puts `value` into one cell."""
    return lambda db: db.execute(f"UPDATE {TABLE} SET {column} = ? WHERE objectID = ?",
                                 (value, object_id(number)))


def sql(text):
    return lambda db: db.execute(text)


def store_cases():
    """What is done to the store, and what the output must then contain; None where it is whole."""
    vin = sealed("vin", 2, "TEXT", "VIN 2")
    used_nonce = bytes_for("selftest nonce power 0", 24)
    yield "whole", None, lambda db: None
    yield "seals is outside the MAC", None, sql("UPDATE nacre_key SET seals = 4096")
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
    yield "a key's state changed", "ringTampered", \
        sql("UPDATE nacre_key SET state = 4 WHERE id = 7")
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
    yield "no MAC", "ringMAC", sql("DELETE FROM nacre_store WHERE name = 'ringMAC'")
    yield "a sealed column that is gone", "no such column", \
        sql("""UPDATE nacre_property SET "column" = 'vim' WHERE name = 'vin'""")
    yield "an entity that is gone", "of no entity", \
        sql("DELETE FROM nacre_entity WHERE name = 'Car'")
    yield "a table that is gone", "no such table", sql("DROP TABLE Wheel")


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
    for number, (name, wanted, harm) in enumerate(store_cases()):
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
    for shown in ("vin = 'VIN 2'", "power = -2", "price = nan", "photo = nil", "x'00ff00ff'"):
        if shown not in output:
            yield f"store, --reveal does not show {shown}"
    print(f"store: {len(runs)} runs")


def changed(value):
    """`value` with the least change that keeps its form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("1" if value[-1:] != "1" else "2")
    if value is None:
        return "00"
    return value[:-1] if value else [0]


def test_members(folder):
    """Every member of every sort of case, changed once: the checker must notice."""
    tried = 0
    for name, run in cases.RUNNERS.items():
        content = json.loads((folder / name).read_text())
        seen = set()
        for case in content["cases"]:
            for member in list(case) + ["a member nobody knows"]:
                # hidesNulls and ring decide nothing in a case that opens without their help.
                sort = (case.get("kind"), case.get("suite"), member)
                if case["expect"] not in ("opens", "matches") or sort in seen \
                        or member in ("comment", "hidesNulls"):
                    continue
                seen.add(sort)
                other = copy.deepcopy(case)
                other[member] = changed(case.get(member, "x"))
                if member == "text":
                    other[member] = case[member].replace("NACRE", "NACRe")
                if member == "normalised":
                    other[member] = "ff" + case[member]
                tried += 1
                with contextlib.suppress(cases.Mismatch):
                    cases.check_case(run, other)
                    yield f"{name}: {member} changed in '{case['comment']}', and nobody noticed"
    print(f"cases: {tried} changed members noticed")


def test_files(folder, temporary):
    """Whole files: unknown, missing, empty of cases, with an unknown member."""
    copied = temporary / "Vectors"

    def harmed(harm):
        shutil.rmtree(copied, ignore_errors=True)
        shutil.copytree(folder, copied)
        harm()
        return run_check(copied, "cases")

    edit = lambda f: lambda: (copied / "hkdf-rfc5869.json").write_text(
        json.dumps(f(json.loads((copied / "hkdf-rfc5869.json").read_text()))))
    for name, harm in [
            ("unknown file", lambda: (copied / "more.json").write_text("{}")),
            ("missing file", lambda: (copied / "keys.json").unlink()),
            ("no cases", edit(lambda c: {**c, "cases": []})),
            ("no source", edit(lambda c: {**c, "source": ""})),
            ("unknown member", edit(lambda c: {**c, "more": 1})),
            ("not JSON", lambda: (copied / "keys.json").write_text("{"))]:
        code, output = harmed(harm)
        if code != 1 or "FAILED" not in output or "Traceback" in output:
            yield f"cases, {name}: exit {code}, {output}"
    if harmed(lambda: None)[0] != 0:
        yield "cases, unchanged: does not pass"
    for name, text in make.all_texts().items():
        if (folder / name).read_bytes() != text.encode("ascii"):
            yield f"{name} is not what `check.py make` makes"
    print("files: 7 runs, and `make` repeats itself")


def run(folder):
    with tempfile.TemporaryDirectory() as name:
        temporary = Path(name)
        complaints = [*test_stores(folder, temporary), *test_members(folder),
                      *test_files(folder, temporary)]
    for complaint in complaints:
        print(f"FAILED {complaint}")
    print("FAILED" if complaints else "ok: the checker finds what it should")
    return not complaints
