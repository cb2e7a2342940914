"""Runs the cases of sealed-header.json and sealed-page.json. As in cases.py, each function
returns (outcome, what was computed)."""

from . import header as head
from . import keys, pages
from .case import Mismatch, from_hex
from .envelope import DESTROYED
from .primitives import sha256, xaes_steps


def shown(row, **more):
    return {name: value.hex() if isinstance(value, bytes) else value
            for name, value in {**row, **more}.items()}


def run_header(case):
    start = b"".join(case.parts(name) for name in ("copy1", "copy2"))
    secret, least = case.hex("secret"), case["headerSequence"]
    number, copy, counting = head.choose(start)
    header = head.parse(copy)
    store_key = head.unlock(header, secret)
    opened, former = head.verify(copy, header, store_key)
    head.check_sequence(header, least)
    # And the other way round: the copy follows from what it says.
    if head.build(header, store_key) != copy:
        raise Mismatch("written again, the copy is another")
    return "opens", {
        "counts": counting, "decides": number, "writtenFirst": head.written_first(start),
        "pageSize": header.page_size, "storeID": header.store_id, "sequence": header.sequence,
        "slots": [shown(slot) for slot in header.slots],
        "keys": [shown(row, key=opened[row["id"]]) for row in header.keys],
        "former": header.former and header.former.hex(), "storeKey": store_key,
        "formerStoreKey": former and former.hex(),
        "headerMACKey": head.header_mac_key(store_key, header.store_id),
        "mac": copy[head.MAC:head.SHA]}


def run_file_key(case):
    store_id, store_key, wrapped, check = case.hex("storeID", "storeKey", "wrapped", "check")
    key_id, wrapping = case["keyID"], keys.wrap_key(store_key, store_id)
    row = {"id": key_id, "suite": 1, "wrapped": wrapped, "check": check}
    key = head.open_key(wrapping, store_id, row)
    aad = keys.data_key_aad(store_id, key_id, head.FILE, 1)
    return "opens", {"wrapKey": wrapping, "aad": aad, "key": key,
                     "wrapped": keys.wrap(wrapping, wrapped[:24], key, aad)}


def run_former(case):
    store_id, store_key, wrapped = case.hex("storeID", "storeKey", "wrapped")
    wrapping, aad = keys.wrap_key(store_key, store_id), head.former_aad(store_id)
    former = keys.unwrap(wrapping, wrapped, aad, "headerTampered")
    return "opens", {"wrapKey": wrapping, "aad": aad, "formerStoreKey": former,
                     "wrapped": keys.wrap(wrapping, wrapped[:24], former, aad)}


def run_layout(case):
    return "matches", {"offset": pages.offset_of(case["page"], case["pageSize"]),
                       "lockBytePage": pages.lock_byte_page(case["pageSize"])}


def run_size(case):
    return "matches", {"pages": pages.page_count(case["size"], case["pageSize"])}


def file_keys_of(case):
    found = {}
    for row in case["keys"]:
        if set(row) != {"id", "state", "key"} or (row["key"] is None) != (row["state"] == DESTROYED):
            raise Mismatch(f"members of a file key: {sorted(row)}")
        found[row["id"]] = (row["state"], row["key"] and from_hex(row["key"]))
    return pages.FileKeys(case.hex("storeID"), found)


def place_of(case):
    if case["place"] == pages.MAIN:
        return pages.main_place(case["page"])
    if case["place"] == pages.LOG:
        return pages.log_place(case["page"], case.hex("salts"), case["frame"], case["databaseSize"])
    return pages.journal_place(case["page"], case.hex("journalID"), case["recordOffset"])


def content_by_rule(seed, size):
    """Byte i is (31 i + 17 (i div 256) + seed) mod 256."""
    return bytes((31 * at + 17 * (at >> 8) + seed) & 0xFF for at in range(size))


def run_page(case):
    file_keys, place = file_keys_of(case), place_of(case)
    if place.place not in (1, 2, 3):
        raise Mismatch(f"no place {place.place}")
    if "seed" in case.members:
        return run_page_by_rule(case, file_keys, place)
    sealed = case.hex("sealed")
    if len(sealed) != case["pageSize"]:
        raise Mismatch("not of the page's size")
    content, checksum = pages.open_page(file_keys, sealed, place)
    tag, nonce, key_id, _ = pages.tail(sealed)
    key = file_keys.keys[key_id][1]
    return "opens", {
        "where": place.where, "aad": pages.page_aad(file_keys.store_id, key_id, place),
        "keyID": key_id, "nonce": nonce, "subkey": xaes_steps(key, nonce)["Kx"], "tag": tag,
        "content": content, "checksum": checksum,
        "sealed": pages.seal_page(file_keys.store_id, key_id, key, nonce, content, checksum, place)}


def run_page_by_rule(case, file_keys, place):
    """A page that is too large to stand in a case: sealed here, and held against its digest."""
    nonce, checksum = case.hex("nonce", "checksum")
    content = content_by_rule(case["seed"], case["pageSize"] - pages.TAIL)
    key = file_keys.key(case["keyID"])
    sealed = pages.seal_page(file_keys.store_id, case["keyID"], key, nonce, content, checksum, place)
    if pages.open_page(file_keys, sealed, place) != (content, checksum):
        raise Mismatch("sealed, it opens to something else")
    return "opens", {"where": place.where, "tag": pages.tail(sealed)[0],
                     "aad": pages.page_aad(file_keys.store_id, case["keyID"], place),
                     "contentSHA256": sha256(content),
                     "sealedSHA256": sha256(sealed)}


def runner(kinds):
    def run(case):
        if case["kind"] not in kinds:
            raise Mismatch(f"unknown kind {case['kind']}")
        return kinds[case["kind"]](case)
    return run


RUNNERS = {"sealed-header.json": runner({
    "header": run_header, "fileKey": run_file_key, "formerStoreKey": run_former,
    "layout": run_layout, "size": run_size}), "sealed-page.json": runner({"page": run_page})}
