"""Opens every sealed value of a store's file, with the tables of FORMAT.md as its only guide."""

import collections
import sqlite3
from pathlib import Path

from . import envelope as env
from . import keys
from .primitives import Refused

INTEGER_COLUMNS = ("id", "purpose", "suite", "state", "created")


class Unreadable(Exception):
    """The store's own tables do not have the form that format 1 gives them."""


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def connect(path):
    if not Path(path).is_file():
        raise Unreadable("no such file")
    # mode=ro: a checker that could write might mend, or harm, what it is to judge.
    db = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True,
                         isolation_level=None)
    db.execute("BEGIN")  # One snapshot, though a writer may be at work.
    return db


def store_values(db):
    values = dict(db.execute("SELECT name, value FROM nacre_store"))
    if values.get("format") != 1:
        raise Unreadable(f"format {values.get('format')!r}, this checker knows 1")
    for name, kind, size in [("storeID", bytes, 16), ("ringGeneration", int, None),
                             ("ringMAC", bytes, 32)]:
        value = values.get(name)
        if type(value) is not kind or (size and len(value) != size):
            raise Unreadable(f"nacre_store: {name} has not the form it should have")
    return values


def unlock(db, store_id, secret):
    """The store key, from the first slot that the secret opens.

    Stricter than an application, which never looks at slots of another kind: to a checker, a slot
    that nobody could use is a fault of the store.
    """
    slot_key, tried = keys.slot_key_from_secret(secret, store_id), []
    for slot_id, kind, parameters, sealed in db.execute(
            "SELECT id, kind, parameters, sealed FROM nacre_slot ORDER BY id"):
        if kind == "passphrase":
            keys.scrypt_parameters(parameters or "")
        elif kind != "secret":
            raise Refused("badParameters", f"slot {slot_id} is of kind {kind!r}")
        if not 0 <= slot_id < 1 << 32 or not isinstance(sealed, bytes):
            raise Unreadable(f"slot {slot_id} has not the form it should have")
        if kind == "secret":
            tried.append((slot_id, sealed))
    for slot_id, sealed in tried:
        try:
            found = keys.unwrap_store_key(slot_key, sealed, store_id, slot_id)
        except Refused:
            continue
        print(f"slot {slot_id} opens")
        return found
    raise Refused("wrongSecret", f"{len(tried)} slots of kind secret, none opens")


def load_ring(db, values, store_key):
    """{id: RingKey}, once the MAC has been verified."""
    rows = []
    for row in db.execute('SELECT id, purpose, suite, state, created, sealed, "check" '
                          "FROM nacre_key"):
        named = dict(zip(INTEGER_COLUMNS + ("wrapped", "check"), row))
        if any(type(named[name]) is not int for name in INTEGER_COLUMNS) or any(
                not isinstance(named[name], (bytes, type(None))) for name in ("wrapped", "check")):
            raise Refused("ringTampered", f"a column's type in key {named['id']}")
        rows.append(named)
    opened = keys.verify_ring(store_key, values["storeID"], values["ringGeneration"], rows,
                              values["ringMAC"])
    primaries = collections.Counter(
        row["purpose"] for row in rows if row["state"] == env.PRIMARY)
    if any(count > 1 for count in primaries.values()):
        raise Unreadable("more than one primary key of a purpose")
    print(f"ring of generation {values['ringGeneration']}: MAC and check values hold, "
          f"{len(rows)} keys")
    return {row["id"]: env.RingKey(row["id"], row["purpose"], row["suite"], row["state"],
                                   opened[row["id"]]) for row in rows}


class SealedColumns:
    """The sealed properties of one entity, and what became of their values."""

    def __init__(self, ring, store_id, reveal, nonces):
        self.ring, self.store_id, self.reveal, self.nonces = ring, store_id, reveal, nonces
        self.failures = 0

    def complain(self, place, refused):
        self.failures += 1
        print(f"FAILED {place}: {refused}")

    def open(self, blob, digest, object_id, declared):
        if not isinstance(blob, bytes):
            raise Refused("notAnEnvelope", f"{type(blob).__name__} in a sealed column")
        if not isinstance(object_id, bytes) or len(object_id) != 16:
            raise Refused("notAnEnvelope", "the row's objectID is not a BLOB of 16 bytes")
        payload = env.open_envelope(blob, self.ring, digest, object_id)
        # The catalog does not say who hides nulls, so NULL is accepted from every property.
        value = env.decode_payload(payload, declared, hides_nulls=True)
        suite, key_id, nonce, _ = env.parse(blob)
        # Two messages under one nonce give GCM's authentication key away: the writer's worst bug.
        if (key_id, nonce) in self.nonces:
            raise Refused("nonceRepeated", f"key {key_id}")
        self.nonces.add((key_id, nonce))
        return key_id, value

    def check(self, db, entity, table, prop, column, declared):
        digest = env.place_digest(self.store_id, entity, prop)
        nulls, per_key, failures_before = 0, collections.Counter(), self.failures
        for object_id, blob in db.execute(
                f"SELECT {quoted('objectID')}, {quoted(column)} FROM {quoted(table)}"):
            shown_id = object_id.hex() if isinstance(object_id, bytes) else repr(object_id)
            if blob is None:
                nulls += 1
                continue
            try:
                key_id, value = self.open(blob, digest, object_id, declared)
            except Refused as refused:
                self.complain(f"{entity}.{prop} of {shown_id}", refused)
                continue
            per_key[key_id] += 1
            if self.reveal:
                print(f"    {shown_id} {prop} = {env.readable(*value)}")
        by_key = "".join(f", {count} under key {i}" for i, count in sorted(per_key.items()))
        print(f"  {prop} ({declared}): {sum(per_key.values())} opened, {nulls} NULL, "
              f"{self.failures - failures_before} failed{by_key}")


def check_entities(db, ring, store_id, reveal):
    """How many values failed."""
    columns = SealedColumns(ring, store_id, reveal, set())
    for entity, table in db.execute(
            'SELECT name, "table" FROM nacre_entity ORDER BY name').fetchall():
        properties = db.execute(
            'SELECT name, "column", type FROM nacre_property WHERE entity = ? AND sealed = 1 '
            "ORDER BY name", (entity,)).fetchall()
        count, = db.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()
        print(f"{entity}: {count} rows, {len(properties)} sealed properties")
        # Asked first, because SQLite takes a quoted name that no column bears for a string.
        present = {row[1] for row in db.execute(f"PRAGMA table_xinfo({quoted(table)})")}
        for prop, column, declared in properties:
            if not {column, "objectID"} <= present or declared not in env.TYPE_CODES:
                raise Unreadable(f"{entity}.{prop}: no such column, or type {declared!r}")
            columns.check(db, entity, table, prop, column, declared)
    orphans = [name for name, in db.execute(
        "SELECT entity || '.' || name FROM nacre_property WHERE sealed = 1 "
        "AND entity NOT IN (SELECT name FROM nacre_entity)")]
    if orphans:
        raise Unreadable(f"sealed properties of no entity: {', '.join(orphans)}")
    return columns.failures


def check_store(path, key_file, reveal):
    """Prints what was found; True when every sealed value opens."""
    try:
        secret = keys.read_key_file(Path(key_file).read_bytes())
        db = connect(path)
        try:
            values = store_values(db)
            print(f"store {values['storeID'].hex()}, format 1")
            ring = load_ring(db, values, unlock(db, values["storeID"], secret))
            failures = check_entities(db, ring, values["storeID"], reveal)
        finally:
            db.close()
    except (Refused, Unreadable, sqlite3.Error, OSError) as error:
        print(f"FAILED {path}: {error}")
        return False
    print(f"FAILED: {failures} values do not open" if failures else "ok: every sealed value opens")
    return not failures
