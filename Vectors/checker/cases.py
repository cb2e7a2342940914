"""Checks every case file of Vectors/. A file or a member that nobody reads is a failure too: a
case that is not understood proves nothing."""

import collections
import json
import struct
from pathlib import Path

from . import envelope as env
from . import cases_logs, cases_sealed, keys, normalizers
from .case import Case, Mismatch, from_hex, once
from .primitives import (Refused, gcm_open, gcm_seal, hkdf_expand, hkdf_extract, mac, scrypt,
                         xaes_accumulated, xaes_seal, xaes_steps, xaes_open, xts_decrypt,
                         xts_encrypt)

OTHER_FILES = {"FORMAT.md", "SEALED-FILE.md", "README.md", "check.py", "checker"}


# Each function below runs one case: it returns (outcome, what was computed), where every computed
# member must stand in the case, and must equal it.

def run_xaes(case):
    key, nonce, plaintext, aad, sealed = case.hex("key", "nonce", "plaintext", "aad", "ciphertext")
    if xaes_open(key, nonce, sealed, aad) != plaintext:
        raise Mismatch("opens to another plaintext")
    return "opens", {**xaes_steps(key, nonce), "ciphertext": xaes_seal(key, nonce, plaintext, aad)}


def run_nist(case):
    key, nonce, aad, ciphertext, tag = case.hex("key", "nonce", "aad", "ciphertext", "tag")
    plaintext = gcm_open(key, nonce, ciphertext + tag, aad)
    sealed = gcm_seal(key, nonce, plaintext, aad)
    return "opens", {"plaintext": plaintext, "ciphertext": sealed[:-16], "tag": sealed[-16:]}


def run_xts(case):
    key, plaintext, ciphertext = case.hex("key", "plaintext", "ciphertext")
    if xts_decrypt(key, case["number"], ciphertext) != plaintext:
        raise Mismatch("decrypts to another plaintext")
    return "matches", {"ciphertext": xts_encrypt(key, case["number"], plaintext)}


def run_hkdf(case):
    ikm, salt, info = case.hex("ikm", "salt", "info")
    prk = hkdf_extract(salt, ikm)
    return "matches", {"prk": prk, "okm": hkdf_expand(prk, info, case["length"])}


def run_scrypt(case):
    return "matches", {"key": scrypt(case["passphrase"].encode(), case.hex("salt"), case["n"],
                                     case["r"], case["p"], case["length"])}


def ring_of(rows):
    ring = {}
    for row in rows:
        if set(row) != {"id", "purpose", "suite", "state", "key"}:
            raise Mismatch(f"members of a ring's key: {sorted(row)}")
        key = None if row["key"] is None else from_hex(row["key"])
        ring[row["id"]] = env.RingKey(row["id"], row["purpose"], row["suite"], row["state"], key)
    return ring


def run_envelope(case):
    store_id, object_id, blob = case.hex("storeID", "objectID", "envelope")
    ring, declared, hides_nulls = ring_of(case["ring"]), case["declared"], case["hidesNulls"]
    digest = env.place_digest(store_id, case["entity"], case["property"], case["place"])
    payload = env.open_envelope(blob, ring, digest, object_id)
    suite, key_id, nonce, _ = env.parse(blob)
    found = {"suite": suite, "keyID": key_id, "nonce": nonce, "D": digest,
             "aad": env.associated_data(digest, suite, key_id, object_id), "payload": payload}
    if suite == 1:
        found["subkey"] = xaes_steps(ring[key_id].key, nonce)["Kx"]
    try:
        code, raw = env.decode_payload(payload, declared, hides_nulls)
    except Refused as refused:
        return refused.kind, found
    found["value"] = env.show(code, raw)
    # And the other way round: the payload and the envelope follow from the value.
    padded_size = len(payload) - 5 if payload[0] & 0x80 else None
    if "padding" in case.members:
        padded_size = env.padded_size(case["padding"], len(raw))
    again = env.encode_payload(code, env.raw_value(code, found["value"]), padded_size)
    found["envelope"] = env.seal(suite, key_id, ring[key_id].key, nonce, again, digest, object_id)
    return "opens", found


def run_store_key(case):
    store_id, store_key = case.hex("storeID", "storeKey")
    return "matches", {"wrapKey": keys.wrap_key(store_key, store_id),
                       "ringMACKey": keys.ring_mac_key(store_key, store_id),
                       "journalMACKey": keys.journal_mac_key(store_key, store_id),
                       "catalogMACKey": keys.catalog_mac_key(store_key, store_id)}


def catalog_cell(cell):
    kind, _, value = cell.partition(" ")
    if kind == "TEXT":
        return "text", value.encode("utf-8")
    return {"NULL": lambda: None, "INTEGER": lambda: int(value), "BLOB": lambda: from_hex(value),
            "REAL": lambda: struct.unpack(">d", from_hex(value))[0]}[kind]()


def run_catalog(case):
    store_id, store_key, given = case.hex("storeID", "storeKey", "mac")
    catalog = keys.catalog_bytes(*([[catalog_cell(cell) for cell in row] for row in case[name]]
                                   for name in ("entities", "properties")))
    made = keys.catalog_mac_input(store_id, case["number"], catalog)
    if mac(keys.catalog_mac_key(store_key, store_id), made) != given:
        return "catalogTampered", {}
    return "matches", {"catalog": catalog, "macInput": made}


def run_journal(case):
    store_id, store_key, given = case.hex("storeID", "storeKey", "mac")
    cursor = case["row"]["cursor"]
    row = {**case["row"], "cursor": None if cursor is None else from_hex(cursor)}
    made = keys.journal_mac_input(store_id, row)
    if mac(keys.journal_mac_key(store_key, store_id), made) != given:
        return "ringTampered", {}
    return "matches", {"macInput": made}


def run_anchor(case):
    store_id, store_key, anchor = case.hex("storeID", "storeKey", "anchor")
    counter, generation = keys.verify_anchor(store_key, store_id, anchor)
    return "matches", {
        "counter": counter, "generation": generation,
        "anchorKey": keys.anchor_key(store_key, store_id),
        "macInput": keys.anchor_mac_input(store_id, counter, generation),
        "anchorText": keys.anchor_text(store_id, counter, generation)}


def run_slot(case):
    store_id, sealed = case.hex("storeID", "sealed")
    slot_id = case["slotID"]
    if case["kind"] == "slotSecret":
        slot_key = keys.slot_key_from_secret(case.hex("secret"), store_id)
    else:
        passphrase, parameters = case["passphrase"], case["parameters"]
        slot_key = keys.slot_key_from_passphrase(passphrase, parameters)
    store_key = keys.unwrap_store_key(slot_key, sealed, store_id, slot_id)
    aad = keys.slot_aad(store_id, slot_id)
    return "opens", {"slotKey": slot_key, "storeKey": store_key, "aad": aad,
                     "sealed": keys.wrap(slot_key, sealed[:24], store_key, aad)}


def run_data_key(case):
    store_id, store_key, wrapped = case.hex("storeID", "storeKey", "wrapped")
    key_id, purpose, suite = case["keyID"], case["purpose"], case["suite"]
    wrapping = keys.wrap_key(store_key, store_id)
    key = keys.unwrap_data_key(wrapping, wrapped, store_id, key_id, purpose, suite)
    aad = keys.data_key_aad(store_id, key_id, purpose, suite)
    return "opens", {"wrapKey": wrapping, "key": key, "aad": aad,
                     "wrapped": keys.wrap(wrapping, wrapped[:24], key, aad)}


def run_check_value(case):
    store_id, key, check = case.hex("storeID", "key", "check")
    same = keys.check_value(key, store_id, case["keyID"]) == check
    return ("matches" if same else "ringTampered"), {}


def run_ring(case):
    store_id, store_key, ring_mac = case.hex("storeID", "storeKey", "ringMAC")
    rows = []
    for row in case["keys"]:
        if set(row) != {"id", "purpose", "suite", "state", "created", "wrapped", "check"}:
            raise Mismatch(f"members of a ring's key: {sorted(row)}")
        rows.append({name: from_hex(value) if name in ("wrapped", "check") and value is not None
                     else value for name, value in row.items()})
    opened = keys.verify_ring(store_key, store_id, case["generation"], rows, ring_mac)
    return "opens", {
        "ringMACKey": keys.ring_mac_key(store_key, store_id),
        "macInput": keys.ring_mac_input(store_id, case["generation"], rows),
        "opened": [{"id": i, "key": key and key.hex()} for i, key in sorted(opened.items())],
        "seals": keys.sealing_keys(rows)}


def run_key_file(case):
    return "opens", {"key": keys.read_key_file(case["text"].encode("utf-8"))}


def run_keys(case):
    kinds = {"storeKey": run_store_key, "slotSecret": run_slot, "slotPassphrase": run_slot,
             "dataKey": run_data_key, "checkValue": run_check_value, "ring": run_ring,
             "journal": run_journal, "anchor": run_anchor, "catalog": run_catalog,
             "keyFile": run_key_file}
    if case["kind"] not in kinds:
        raise Mismatch(f"unknown kind {case['kind']}")
    return kinds[case["kind"]](case)


def run_index(case):
    store_id, key = case.hex("storeID", "indexKey")
    code = env.TYPE_CODES[case["type"]]
    raw, normalizer, bits = env.raw_value(code, case["value"]), case["normalizer"], case["bits"]
    k = env.index_key(key, store_id, case["entity"], case["property"], normalizer)
    normalized = normalizers.normalized(normalizer, code == env.TEXT, raw)
    full, index = env.index_value(k, code, normalized, bits)
    return "matches", {"normalized": normalized, "K": k, "mac": full, "index": index}


RUNNERS = {"xaes-256-gcm.json": run_xaes, "nist-aes-256-gcm.json": run_nist,
           "ieee-aes-256-xts.json": run_xts,
           "hkdf-rfc5869.json": run_hkdf, "scrypt-rfc7914.json": run_scrypt,
           "envelope.json": run_envelope, "keys.json": run_keys, "blind-index.json": run_index,
           **cases_sealed.RUNNERS, **cases_logs.RUNNERS}


def check_case(run, members):
    case = Case(members)
    if not isinstance(members.get("comment"), str) or not members["comment"]:
        raise Mismatch("no comment")
    expect = members.get("expect")
    try:
        outcome, found = run(case)
    except Refused as refused:
        outcome, found = refused.kind, {}
    except (TypeError, ValueError, OverflowError, KeyError, AttributeError) as error:
        raise Mismatch(f"a member of the wrong form ({error!r})") from None
    if outcome != expect:
        raise Mismatch(f"expect is {expect}, found {outcome}")
    for name, value in found.items():
        value = value.hex() if isinstance(value, bytes) else value
        if case[name] != value:
            raise Mismatch(f"{name} should be {str(value)[:80]}")
    unknown = set(members) - case.read
    if unknown:
        raise Mismatch(f"unknown members {sorted(unknown)}")


def check_normalizers(members):
    if set(members) != {"method", "nfc/1", "casefold/1"}:
        raise Mismatch(f"members of accumulated: {sorted(members)}")
    for name, digest in normalizers.accumulated().items():
        if members[name] != digest:
            raise Mismatch(f"accumulated {name}")


def check_accumulated(members, million):
    if set(members) != {"method", "after10000", "after1000000"}:
        raise Mismatch(f"members of accumulated: {sorted(members)}")
    for count in [10_000] + [1_000_000] * million:
        if xaes_accumulated(count).hex() != members[f"after{count}"]:
            raise Mismatch(f"accumulated after {count}")


ACCUMULATED = {"xaes-256-gcm.json": check_accumulated,
               "blind-index.json": lambda members, _: check_normalizers(members)}


def check_file(path, million=False):
    """(counts by expect, complaints) of one case file."""
    counts, complaints = collections.Counter(), []
    try:
        content = json.loads(path.read_text("utf-8"), object_pairs_hook=once)
        accumulated = path.name in ACCUMULATED
        if set(content) != {"source", "cases"} | ({"accumulated"} if accumulated else set()):
            raise Mismatch(f"members {sorted(content)}")
        if not content["source"] or not content["cases"]:
            raise Mismatch("no source or no cases")
        if accumulated:
            ACCUMULATED[path.name](content["accumulated"], million)
            counts["accumulated"] += 1
    except (Mismatch, ValueError, FileNotFoundError) as error:
        return counts, [str(error)]
    for number, members in enumerate(content["cases"]):
        try:
            check_case(RUNNERS[path.name], members)
            counts[members["expect"]] += 1
        except Mismatch as mismatch:
            complaints.append(f"case {number} ({members.get('comment')}): {mismatch}")
    return counts, complaints


def check_all(folder, million=False):
    """Prints one line a file; True when all hold."""
    folder, good = Path(folder), True
    unknown = {path.name for path in folder.iterdir()} - set(RUNNERS) - OTHER_FILES
    for name in sorted(unknown):
        print(f"{name}: FAILED: nobody checks this file")
        good = False
    for name in RUNNERS:
        counts, complaints = check_file(folder / name, million)
        summary = ", ".join(f"{count} {expect}" for expect, count in sorted(counts.items()))
        print(f"{name}: {'FAILED' if complaints else 'ok'}: {summary or 'nothing checked'}")
        for complaint in complaints:
            print(f"  {complaint}")
        good = good and not complaints
    return good
