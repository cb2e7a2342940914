"""Opens every sealed value of a store, with the tables of FORMAT.md as its only guide."""

import collections
import hmac
import sqlite3
from pathlib import Path

from . import envelope as env
from . import keys, sealed_store, server
from .columns import SealedColumns, Unreadable, quoted
from .header import verify
from .primitives import Refused, mac

INTEGER_COLUMNS = ("id", "purpose", "suite", "state", "created")


def connect(path):
    if server.is_server(path):
        return server.connect(path)
    if not Path(path).is_file():
        raise Unreadable("no such file")
    # mode=ro: a checker that could write might mend, or harm, what it is to judge.
    db = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True,
                         isolation_level=None)
    db.execute("BEGIN")  # One snapshot, though a writer may be at work.
    return db


def store_values(db, number=1):
    """The rows of nacre_store; `number` is the format that the file has from outside."""
    values = dict(db.execute("SELECT name, value FROM nacre_store"))
    if values.get("format") != number:
        raise Unreadable(f"format {values.get('format')!r} in a file of format {number}")
    for name, kind, size in [("storeID", bytes, 16), ("ringGeneration", int, None),
                             ("ringMAC", bytes, 32)]:
        value = values.get(name)
        if type(value) is not kind or (size and len(value) != size):
            raise Unreadable(f"nacre_store: {name} has not the form it should have")
    return values


SLOTS = "SELECT id, kind, parameters, sealed FROM nacre_slot ORDER BY id"


def unlock(slots, store_id, secret):
    """The store key, from the first slot that the secret opens.

    Stricter than an application, which never looks at slots of another kind: to a checker, a slot
    that nobody could use is a fault of the store.
    """
    slot_key, tried = keys.slot_key_from_secret(secret, store_id), []
    for slot_id, kind, parameters, sealed in slots:
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
    # The suite of an index key seals nothing, so there is one for all.
    primaries = collections.Counter(
        (row["purpose"], row["suite"] if row["purpose"] == env.FIELD else None)
        for row in rows if row["state"] == env.PRIMARY)
    if any(count > 1 for count in primaries.values()):
        raise Unreadable("more than one primary key of a purpose and suite")
    print(f"ring of generation {values['ringGeneration']}: MAC and check values hold, "
          f"{len(rows)} keys")
    return {row["id"]: env.RingKey(row["id"], row["purpose"], row["suite"], row["state"],
                                   opened[row["id"]]) for row in rows}


def show_anchor(values, store_key):
    if "anchor" in values:
        numbers = keys.verify_anchor(store_key, values["storeID"], values["anchor"])
        print(f"anchor {keys.anchor_text(values['storeID'], *numbers)}")


CATALOG_COLUMNS = {
    "nacre_entity": ("name", "table", "version"),
    "nacre_property": ("entity", "name", "column", "type", "sealed", "kind", "target", "join",
                       "inverse", "bits", "normalizer", "unique", "hidesNil", "padding", "suite",
                       "optional", "hooked", "hidden", "filled")}


def catalog_rows(db, table):
    present = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
    # A TEXT as its bytes, for somebody may have put there what is no UTF-8.
    cells = ", ".join(f"typeof({quoted(name)}), CASE typeof({quoted(name)}) WHEN 'text' "
                      f"THEN CAST({quoted(name)} AS BLOB) ELSE {quoted(name)} END"
                      if name in present else "'null', NULL" for name in CATALOG_COLUMNS[table])
    return [[("text", row[at + 1]) if row[at] == "text" else row[at + 1]
             for at in range(0, len(row), 2)] for row in db.execute(f"SELECT {cells} FROM {table}")]


def check_catalog(db, values, store_key):
    """Whether the catalog has a MAC; raises catalogTampered where that does not hold."""
    number = keys.catalog_number(values["ringGeneration"])
    if number == 0:
        print("catalog: without a MAC")
        return False
    catalog, given = values.get("catalog"), values.get("catalogMAC")
    if not isinstance(catalog, bytes) or not isinstance(given, bytes):
        raise Refused("catalogTampered", "its copy or its MAC is missing")
    made = mac(keys.catalog_mac_key(store_key, values["storeID"]),
               keys.catalog_mac_input(values["storeID"], number, catalog))
    if not hmac.compare_digest(made, given):
        raise Refused("catalogTampered", "the MAC differs")
    if keys.catalog_bytes(*(catalog_rows(db, table) for table in CATALOG_COLUMNS)) != catalog:
        raise Refused("catalogTampered", "the tables are not as the copy says")
    print(f"catalog number {number}: MAC holds")
    return True


def is_rotating(db):
    """Whether a rotation is unfinished. The table came later than the first stores."""
    there = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'nacre_rotation'").fetchone()
    return there is not None and db.execute(
        "SELECT 1 FROM nacre_rotation WHERE finished IS NULL").fetchone() is not None


def converting(db):
    """The properties whose rows are being given another form: (entity, property)."""
    there = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'nacre_rotation'").fetchone()
    return set() if there is None else set(db.execute(
        "SELECT entity, property FROM nacre_rotation WHERE finished IS NULL "
        "AND kind IN ('seal', 'unseal', 'reseal') AND phase <> 'clearing'"))


def sealed_properties(db, entity):
    """Dictionaries; a column that the store does not have yet is absent and taken for NULL."""
    found = db.execute("SELECT * FROM nacre_property WHERE entity = ? AND sealed = 1 "
                       "ORDER BY name", (entity,))
    names = [column[0] for column in found.description]
    return [collections.defaultdict(lambda: None, zip(names, row)) for row in found]


def check_entities(db, ring, store_id, reveal):
    """How many values failed."""
    columns = SealedColumns(ring, store_id, reveal, is_rotating(db))
    for entity, table in db.execute(
            'SELECT name, "table" FROM nacre_entity ORDER BY name').fetchall():
        properties = sealed_properties(db, entity)
        count, = db.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()
        print(f"{entity}: {count} rows, {len(properties)} sealed properties")
        # Asked first, because SQLite takes a quoted name that no column bears for a string.
        present = {row[1] for row in db.execute(f"PRAGMA table_xinfo({quoted(table)})")}
        for row in properties:
            if (entity, row["name"]) in converting(db):
                print(f"  {row['name']}: is being converted, not looked at")
                continue
            columns.check(db, entity, table, row, present)
    orphans = [name for name, in db.execute(
        "SELECT entity || '.' || name FROM nacre_property WHERE sealed = 1 "
        "AND entity NOT IN (SELECT name FROM nacre_entity)")]
    if orphans:
        raise Unreadable(f"sealed properties of no entity: {', '.join(orphans)}")
    return columns.failures


def check_plain(path, secret, reveal):
    """How many values of a store of format 1 failed."""
    db = connect(path)
    try:
        values = store_values(db)
        print(f"store {values['storeID'].hex()}, format 1")
        store_key = unlock(db.execute(SLOTS), values["storeID"], secret)
        return check_inside(db, values, store_key, load_ring(db, values, store_key), reveal)
    finally:
        db.close()


def check_sealed(path, secret, reveal):
    """How many values of a store of format 2 failed."""
    data = Path(path).read_bytes()
    header, copy = sealed_store.read_header(data)
    print(f"store {header.store_id.hex()}, format 2, header number {header.sequence}")
    slots = [(slot["id"], slot["kind"], slot["parameters"], slot["sealed"])
             for slot in header.slots]
    store_key = unlock(slots, header.store_id, secret)
    opened, former = verify(copy, header, store_key)
    print(f"header: MAC and check values hold, {len(header.keys)} file keys")
    file = sealed_store.SealedFile(path, data, header, sealed_store.file_keys(header, opened))
    db = sealed_store.open_in_memory(file.database())
    try:
        values = store_values(db, 2)
        sealed_store.check_tables(db, values, header)
        store_key, ring = ring_during_rewrap(db, values, store_key, former)
        return check_inside(db, values, store_key, ring, reveal)
    finally:
        db.close()


def ring_during_rewrap(db, values, store_key, former):
    """(the store key that the tables are under, ring). While a rewrap is under way, they may be
    under the former one."""
    try:
        return store_key, load_ring(db, values, store_key)
    except Refused:
        if former is None:
            raise
    print("a rewrap is under way: the tables are under the former store key")
    return former, load_ring(db, values, former)


def check_inside(db, values, store_key, ring, reveal):
    """How many sealed values failed, whatever the format of the file around them."""
    show_anchor(values, store_key)
    check_catalog(db, values, store_key)
    return check_entities(db, ring, values["storeID"], reveal)


def check_store(path, key_file, reveal):
    """Prints what was found; True when every sealed value opens."""
    try:
        secret = keys.read_key_file(Path(key_file).read_bytes())
        sealed = not server.is_server(path) and sealed_store.is_sealed_file(path)
        failures = (check_sealed if sealed else check_plain)(path, secret, reveal)
    except (Refused, Unreadable, sqlite3.Error, OSError) as error:
        # A URL can hold a password.
        print(f"FAILED {'on the server' if server.is_server(path) else path}: {error}")
        return False
    print(f"FAILED: {failures} values do not open" if failures else "ok: every sealed value opens")
    return not failures
