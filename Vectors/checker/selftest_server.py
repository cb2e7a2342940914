"""The stores of selftest_store on a PostgreSQL server, and harms that only a server allows."""

import contextlib
import io
import sqlite3
import subprocess
import traceback

from . import server
from .columns import Unreadable, quoted
from .selftest_store import (SECRET, TABLE, catalog_cases, fill, index_cases, object_id, ring_cases,
                             value_cases, with_mac)
from .store import check_store

# What a declaration in a file is on a server, and the class of Python's that it takes.
TYPES = {"INTEGER": ("bigint", int), "INT": ("bigint", int), "TEXT": ("text", str),
         "BLOB": ("bytea", bytes), "REAL": ("double precision", float)}
FIELDS = {int: "integer", str: "text", bytes: "blob", float: "real"}


def constant(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"decode('{value.hex()}', 'hex')"
    return server.literal(value) if isinstance(value, str) else repr(value)


def column_type(name, declared, cells):
    """A column that holds a cell of another class than its own takes cells of any."""
    kind, own = TYPES.get(declared, ("nacre_value", None))
    if any(cell is not None and type(cell) is not own for cell in cells):
        return "nacre_value"
    return "uuid" if name == "objectID" else kind


def stored(value, kind):
    if kind == "uuid":
        return f"CAST('{value.hex()}' AS uuid)"
    if kind != "nacre_value" or value is None:
        return constant(value)
    fields = [constant(value) if FIELDS[type(value)] == name else "NULL"
              for name in ("integer", "real", "text", "blob")]
    return f"CAST(ROW({', '.join(fields)}) AS nacre_value)"


def statements(db):
    """What makes the tables of a file on a server."""
    yield ('CREATE TYPE nacre_value AS ("integer" bigint, "real" double precision, "text" text, '
           '"blob" bytea)')
    for table, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        declared = [row[1:3] for row in db.execute(f"PRAGMA table_info({quoted(table)})")]
        rows = db.execute(f"SELECT * FROM {quoted(table)}").fetchall()
        kinds = [column_type(*column, [row[at] for row in rows])
                 for at, column in enumerate(declared)]
        yield f"CREATE TABLE {quoted(table)} (" + ", ".join(
            f"{quoted(name)} {kind}" for (name, _), kind in zip(declared, kinds)) + ")"
        for row in rows:
            yield f"INSERT INTO {quoted(table)} VALUES ({', '.join(map(stored, row, kinds))})"


def copy_vin(text):
    return f'UPDATE {TABLE} SET "vin" = {text} WHERE "objectID" = \'{object_id(2).hex()}\''


def server_cases():
    """What SQL does to a whole store on the server, and what the output must then contain."""
    failed = "authenticationFailed"
    yield "a changed envelope", failed, copy_vin('set_byte("vin", 40, get_byte("vin", 40) # 1)')
    yield "an envelope of another row", failed, copy_vin(
        f'(SELECT "vin" FROM {TABLE} WHERE "objectID" = \'{object_id(4).hex()}\')')
    yield "an envelope of another column", failed, copy_vin('"power"')
    yield "a catalog's MAC", "catalogTampered", \
        "UPDATE nacre_store SET value.\"blob\" = set_byte((value).\"blob\", 0, " \
        "get_byte((value).\"blob\", 0) # 1) WHERE name = 'catalogMAC'"
    yield "a ring's MAC", "ringTampered", "UPDATE nacre_store SET value.\"blob\" = " \
        "set_byte((value).\"blob\", 0, get_byte((value).\"blob\", 0) # 1) WHERE name = 'ringMAC'"
    yield "an index of another row", "wrongIndex", f'UPDATE {TABLE} SET "vin__index" = ' \
        f'(SELECT "vin__index" FROM {TABLE} WHERE "objectID" = \'{object_id(4).hex()}\') ' \
        f'WHERE "objectID" = \'{object_id(2).hex()}\''
    yield "a column of another type", "notAnEnvelope", \
        f'ALTER TABLE {TABLE} ALTER "vin" TYPE text USING encode("vin", \'hex\')'
    yield "an objectID of another type", "notAnEnvelope", \
        f'ALTER TABLE {TABLE} ALTER "objectID" TYPE text'
    yield "a value of two classes", "more than one value", \
        "UPDATE nacre_store SET value.\"integer\" = 1 WHERE name = 'storeID'"
    yield "a view in the place of a table", "no such table", \
        f'ALTER TABLE {TABLE} RENAME TO other; CREATE VIEW {TABLE} AS SELECT * FROM other'
    yield "no table of slots", "no table nacre_slot", "DROP TABLE nacre_slot"
    # What a server's administrator defines is not called.
    yield "a function that bears the name of a server's own", None, \
        "CREATE FUNCTION encode(bytea, text) RETURNS text LANGUAGE sql AS $$ SELECT 'x'::text $$"
    yield "another column, of a type that nobody knows", None, \
        f"ALTER TABLE {TABLE} ADD \"more\" point DEFAULT '(1,2)'"


def execute(url, lines):
    subprocess.run([server.psql(), "-XqAt", "-v", "ON_ERROR_STOP=1", "-1", "-d", url], check=True,
                   input=";\n".join(lines) + ";\n", encoding="utf-8", capture_output=True)


def checked(url, key_file, reveal=False):
    """(whether the store is whole, what was printed)."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            whole = check_store(url, key_file, reveal)
        except Exception:  # Anything but a finding is the checker's own fault.
            traceback.print_exc(file=output)
            whole = None
    return whole, output.getvalue()


def stores(url):
    """(what it is, what the output must contain, the store's URL)."""
    cases = [(*case, None) for cases in (value_cases, index_cases, ring_cases, catalog_cases)
             for case in cases()]
    cases += [(name, wanted, with_mac(), sql) for name, wanted, sql in server_cases()]
    for number, (name, wanted, harm, sql) in enumerate(cases):
        db = sqlite3.connect(":memory:")
        fill(db)
        harm(db)
        # A schema's name with letters that careless quoting would break.
        schema = f'Nacre "{number}"'
        execute(url, [f"CREATE SCHEMA {quoted(schema)}", f"SET search_path = {quoted(schema)}",
                      *statements(db), *([sql] if sql else [])])
        db.close()
        path = quoted(schema).replace('"', "%22").replace(" ", "%5C%20")
        yield name, wanted, f"{url}&options=-csearch_path%3D{path},pg_catalog"


def test_passwords(key_file):
    for number, url in enumerate([
            "postgresql://ada:Secret-7@db.example/garage", "postgres://ada:Secret-7@/garage",
            "POSTGRESQL://db.example/garage?password=Secret-7",
            "postgresql://db.example/garage?passwor%64=Secret-7",
            "postgresql://ada:Secret-7?@db.example/garage",
            "postgresql://db.example/garage?sslkey=k&sslpassword=Secret-7"]):
        whole, output = checked(url, key_file)
        if whole is not False or "PGPASSFILE" not in output or "Secret-7" in output:
            yield f"server: the password of URL {number}: {output}"


def test_server(url, temporary):
    """Complaints; `url` is that of an empty database."""
    key_file = temporary / "store.key"
    key_file.write_text(f"NACRE-KEY-1 {SECRET.hex()}\n")
    count = 0
    for count, (name, wanted, place) in enumerate(stores(url), 1):
        whole, output = checked(place, key_file)
        if whole is not (wanted is None) or (wanted or "ok: every") not in output:
            yield f"server, {name}: {output}"
        if "VIN" in output:
            yield f"server, {name}: a value was shown unasked"
        if count == 1:
            _, output = checked(place, key_file, reveal=True)
            if "vin = 'VIN 2'" not in output:
                yield f"server: --reveal does not show a value: {output}"
            with server.Session(place) as session, contextlib.suppress(Unreadable):
                list(session.rows("SELECT 1", ["CREATE TABLE public.t (a int)"]))
                yield "server: the checker can write"
    yield from test_passwords(key_file)
    for place, wanted in [("postgresql://ada@/garage?host=/nowhere", "is the server running"),
                          (f"{url}&options=-csearch_path%3Dnowhere", "no schema"),
                          (url, "no table nacre_store")]:
        whole, output = checked(place, key_file)
        if whole is not False or wanted not in output.lower():
            yield f"server, {wanted}: {output}"
    print(f"server: {count} stores")
