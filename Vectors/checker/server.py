"""Reads a store's tables from a PostgreSQL server, by its own client psql. FORMAT.md, "On a PostgreSQL
server", is the only guide. What is read is copied into a database of SQLite's, cell by cell, so that
everything else looks at the same cells whatever store they come from."""

import collections
import os
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import urllib.parse

from .columns import Unreadable, quoted

REQUIRED = ("nacre_store", "nacre_slot", "nacre_key", "nacre_entity", "nacre_property")
OPTIONAL = ("nacre_rotation",)
CLASSES = {"bigint": "integer", "integer": "integer", "smallint": "integer",
           "double precision": "real", "bytea": "blob", "uuid": "uuid"}
END = "the end of an answer"


def is_server(path):
    return path.lower().startswith(("postgresql://", "postgres://"))


def refuse_password(url):
    """As `nacre` does: every user of the machine can read a command line."""
    rest = url.partition("://")[2]
    user, at, _ = rest.partition("@")
    options = urllib.parse.parse_qs(rest.partition("?")[2], keep_blank_values=True)
    if (at and "/" not in user and user.partition(":")[2]) or options.keys() & {
            "password", "sslpassword"}:
        raise Unreadable("the URL holds a password, which all users of this machine can read; keep "
                         "it in a file that PGPASSFILE names, or in a service file")


def psql():
    own = os.environ.get("NACRE_POSTGRES_BIN")
    program = f"{own}/psql" if own else shutil.which("psql")
    if not program:
        raise Unreadable("there is no psql, with which a server is read")
    return program


class Session:
    """One transaction of psql, which only reads: a checker that could write might mend, or harm, what
    it is to judge."""

    def __init__(self, url):
        self.errors = tempfile.TemporaryFile("w+")
        # libpq asks for no proof of who another machine is, unless somebody says so. A socket needs none.
        defaults = {"PGSSLMODE": "verify-full", "PGCONNECT_TIMEOUT": "10"}
        self.process = subprocess.Popen(
            [psql(), "-XqAtw", "-v", "ON_ERROR_STOP=1", "-d", url], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors, encoding="ascii",
            env={**defaults, **os.environ, "PGCLIENTENCODING": "UTF8"})
        try:
            self.schema = self.begin()
        except BaseException:
            self.close()
            raise

    def begin(self):
        """The schema that the store is in."""
        # Where it is searched before the server's own functions, one of the same name would be called.
        found = list(self.rows(
            "SELECT pg_catalog.encode(pg_catalog.convert_to(pg_catalog.current_schema(), 'UTF8'), 'hex') "
            "WHERE pg_catalog.current_schema() IS NOT NULL",
            ["SET standard_conforming_strings = on", "SET lock_timeout = '10s'",
             # Rows that a policy would hide are an error instead.
             "SET row_security = off", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"]))
        if not found:
            raise Unreadable("no schema of the search_path is there")
        list(self.rows("SELECT 1", ["SET LOCAL search_path = pg_catalog"]))
        return text(found[0])

    def close(self):
        self.process.kill()
        self.process.communicate()
        self.errors.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def rows(self, query, before=()):
        """The lines of a query whose rows are texts in ASCII, without blanks at their ends."""
        statements = [*before, f"COPY ({query}) TO STDOUT"]
        try:
            self.process.stdin.write("".join(s + ";\n" for s in statements) + f"\\echo {END}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail()
        for line in self.process.stdout:
            if line == END + "\n":
                return
            yield line.rstrip("\n")
        self.fail()

    def fail(self):
        self.process.wait()
        self.errors.seek(0)
        raise Unreadable(self.errors.read().strip() or "psql ended early")

    def columns(self, table):
        """{name: type}; none for a table that is not there, or is a view."""
        return {text(name): text(kind) for name, kind in (row.split("|") for row in self.rows(
            "SELECT encode(convert_to(a.attname::text, 'UTF8'), 'hex') || '|' || encode(convert_to("
            "CASE WHEN t.typname = 'nacre_value' AND t.typtype = 'c' THEN 'nacre_value' "
            "ELSE format_type(a.atttypid, NULL) END, 'UTF8'), 'hex') "
            "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
            "JOIN pg_type t ON t.oid = a.atttypid "
            f"WHERE n.nspname = {literal(self.schema)} AND c.relname = {literal(table)} "
            "AND c.relkind IN ('r', 'p') ORDER BY a.attnum"))}

    def cells(self, table, columns):
        """The rows of a table as SQLite would have them; `columns` is {name: type}."""
        expressions = ", ".join(f"coalesce({expression(quoted(name), kind)}, 'n')"
                                for name, kind in columns.items())
        for row in self.rows(f"SELECT concat_ws('|', {expressions}) "
                             f"FROM {quoted(self.schema)}.{quoted(table)}"):
            yield [cell(word) for word in row.split("|")]


def text(digits):
    return bytes.fromhex(digits).decode("utf-8")


def literal(word):
    return f"convert_from(decode('{word.encode('utf-8').hex()}', 'hex'), 'UTF8')"


def expression(value, kind):
    """A value as a letter for its class, and its digits; NULL for NULL."""
    if kind == "nacre_value":
        fields = [f'({value})."{name}"' for name in ("integer", "real", "text", "blob")]
        forms = map(expression, fields, ("bigint", "double precision", "text", "bytea"))
        # One field at most has the value; more would be a value that nobody writes.
        return (f"CASE WHEN num_nonnulls({', '.join(fields)}) > 1 THEN 'x' "
                f"ELSE coalesce({', '.join(forms)}) END")
    return {"integer": f"'i' || {value}::text",
            "real": f"'r' || encode(float8send({value}), 'hex')",
            "blob": f"'b' || encode({value}, 'hex')",
            "uuid": f"'b' || encode(uuid_send({value}), 'hex')",
            }.get(CLASSES.get(kind), f"'t' || encode(convert_to({value}::text, 'UTF8'), 'hex')")


def cell(word):
    sort, digits = word[:1], word[1:]
    if sort == "n":
        return None
    if sort == "i":
        return int(digits)
    if sort == "r":
        return struct.unpack(">d", bytes.fromhex(digits))[0]
    if sort == "t":
        return text(digits)
    if sort == "b":
        return bytes.fromhex(digits)
    raise Unreadable("a nacre_value with more than one value")


def copy(session, db, table, wanted=None):
    """Copies a table, or those of its columns that are wanted and there; False if there is none."""
    columns = session.columns(table)
    if wanted is not None:
        columns = {name: kind for name, kind in columns.items() if name in wanted}
    if not columns:
        return False
    # Columns without a type, which keep every cell as it is.
    db.execute(f"CREATE TABLE {quoted(table)} ({', '.join(map(quoted, columns))})")
    db.executemany(f"INSERT INTO {quoted(table)} VALUES ({', '.join('?' * len(columns))})",
                   session.cells(table, columns))
    return True


def entity_columns(db, entity):
    """The columns that a look at an entity's sealed values needs."""
    wanted = {"objectID"}
    for column, in db.execute('SELECT "column" FROM nacre_property WHERE entity = ? AND sealed = 1 '
                              'AND "column" IS NOT NULL', (entity,)):
        wanted |= {column, f"{column}__index"}
    return wanted


def connect(url):
    """A database that has what the server's tables have at one moment."""
    refuse_password(url)
    db = sqlite3.connect("", isolation_level=None)  # A file that SQLite deletes when it ends.
    try:
        db.execute("BEGIN")
        with Session(url) as session:
            for table in REQUIRED:
                if not copy(session, db, table):
                    raise Unreadable(f"no table {table} in the schema")
            for table in OPTIONAL:
                copy(session, db, table)
            tables = collections.defaultdict(set)
            for entity, table in db.execute('SELECT name, "table" FROM nacre_entity').fetchall():
                tables[table] |= entity_columns(db, entity)
            # Who looks at one that is missing complains, once the catalog has been verified.
            for table, columns in tables.items():
                copy(session, db, table, columns)
        return db
    except (ValueError, OverflowError, struct.error) as error:
        db.close()
        raise Unreadable(f"the server's answer has not the form it should have: {error}") from None
    except BaseException:
        db.close()
        raise
