"""Opens the values of sealed columns, and holds their blind indexes against them."""

import collections

from . import envelope as env
from . import normalizers
from .primitives import Refused


class Unreadable(Exception):
    """The store's own tables do not have the form that format 1 gives them."""


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class IndexValues:
    """What the blind index of one property should hold, under each key that it may be under."""

    def __init__(self, ring, store_id, entity, prop, row, is_rotating):
        self.bits, self.normalizer = row["bits"], row["normalizer"]
        if type(self.bits) is not int or not 1 <= self.bits <= 256 \
                or self.normalizer not in normalizers.NORMALIZERS:
            raise Unreadable(f"{entity}.{prop}: an index of {self.bits!r} bits, "
                             f"normalizer {self.normalizer!r}")
        # Another key than the primary one only while a rotation has not come to every row.
        states = (env.PRIMARY, env.PENDING, env.ENABLED) if is_rotating else (env.PRIMARY,)
        usable = [key for state in states for key in ring.values()
                  if key.purpose == env.INDEX and key.state == state]
        if not usable:
            raise Unreadable(f"{entity}.{prop}: an index, and no primary key for indexes")
        self.keys = [env.index_key(key.key, store_id, entity, prop, self.normalizer)
                     for key in usable]

    def check(self, found, value):
        """`value` is None for SQL NULL, which has no index value."""
        if value is None:
            if found is not None:
                raise Refused("wrongIndex", "SQL NULL with an index value")
            return
        code, raw = value
        raw = normalizers.normalized(self.normalizer, code == env.TEXT, raw)
        if found not in [env.index_value(k, code, raw, self.bits)[1] for k in self.keys]:
            raise Refused("wrongIndex", "not that of the value")


class SealedColumns:
    """The sealed properties of a store, and what became of their values."""

    def __init__(self, ring, store_id, reveal, is_rotating):
        self.ring, self.store_id, self.reveal = ring, store_id, reveal
        self.is_rotating, self.nonces, self.failures = is_rotating, set(), 0

    def complain(self, place, refused):
        self.failures += 1
        print(f"FAILED {place}: {refused}")

    def open(self, blob, digest, object_id, row):
        if not isinstance(blob, bytes):
            raise Refused("notAnEnvelope", f"{type(blob).__name__} in a sealed column")
        if not isinstance(object_id, bytes) or len(object_id) != 16:
            raise Refused("notAnEnvelope", "the row's objectID is not a BLOB of 16 bytes")
        payload = env.open_envelope(blob, self.ring, digest, object_id)
        # A store from before the column does not say who hides nulls.
        value = env.decode_payload(payload, row["type"], hides_nulls=row["hidesNil"] != 0)
        suite, key_id, nonce, _ = env.parse(blob)
        # Two messages under one nonce give GCM's authentication key away: the writer's worst bug.
        if (key_id, nonce) in self.nonces:
            raise Refused("nonceRepeated", f"key {key_id}")
        self.nonces.add((key_id, nonce))
        return key_id, value

    def check(self, db, entity, table, row, present):
        prop, column, declared = row["name"], row["column"], row["type"]
        is_dao = row["kind"] == "dao"
        key = "_rowid_" if is_dao else "objectID"
        if not ({column} if is_dao else {column, key}) <= present \
                or declared not in env.TYPE_CODES and not (is_dao and declared == "ANY"):
            raise Unreadable(f"{entity}.{prop}: no such column, or type {declared!r}")
        if is_dao and (entity != f"dao:{table}" or not (row["target"] and row["inverse"])):
            raise Unreadable(f"{entity}.{prop}: not the form of a DAO's column")
        if row["hooked"] == 1:
            print(f"  {prop} ({declared}): sealed by the application's own provider, not checked")
            return
        index, index_column = None, "NULL"
        if row["bits"] is not None:
            if f"{column}__index" not in present:
                raise Unreadable(f"{entity}.{prop}: no column for its index")
            index = IndexValues(self.ring, self.store_id, entity, prop, row, self.is_rotating)
            index_column = quoted(f"{column}__index")
        digest = env.place_digest(self.store_id, row["target"], row["inverse"], "dao") if is_dao \
            else env.place_digest(self.store_id, entity, prop)
        counts, failures_before = collections.Counter(), self.failures
        for identity, blob, token in db.execute(
                f"SELECT {quoted(key)}, {quoted(column)}, {index_column} FROM {quoted(table)}"):
            shown_id = identity.hex() if isinstance(identity, bytes) else repr(identity)
            object_id = bytes(16) if is_dao else identity
            try:
                key_id, value = (None, None) if blob is None else self.open(
                    blob, digest, object_id, row)
                counts[key_id] += 1
                if blob is None and row["filled"] == 1 and not row["hidden"]:
                    raise Refused("unhiddenNil", "SQL NULL where every nil is sealed")
                if row["optional"] == 0 and (value is None or value[0] == env.NULL):
                    raise Refused("unexpectedNil", "nil in a property that has always a value")
                if index:
                    index.check(token, value)
            except Refused as refused:
                self.complain(f"{entity}.{prop} of {shown_id}", refused)
                continue
            if self.reveal and value is not None:
                print(f"    {shown_id} {prop} = {env.readable(*value)}")
        self.report(prop, declared, index, counts, self.failures - failures_before)

    def report(self, prop, declared, index, counts, failures):
        nulls = counts.pop(None, 0)
        by_key = "".join(f", {count} under key {i}" for i, count in sorted(counts.items()))
        indexed = f", index of {index.bits} bits ({index.normalizer})" if index else ""
        print(f"  {prop} ({declared}): {sum(counts.values())} opened, {nulls} NULL, "
              f"{failures} failed{by_key}{indexed}")
