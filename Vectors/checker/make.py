"""Writes the case files that are Nacre's own. Every `expect` is stated here by hand and
checked by cases.py, and every byte follows from a label, so that a run repeats the last."""

import hashlib
import json

from . import (make_envelope, make_header, make_index, make_journals, make_keys, make_logs,
               make_pages, make_rekey)


def text_of(source, cases, **more):
    content = {"source": source, "cases": list(cases), **more}
    # ASCII only: an editor's or Git's idea of text must not change a case.
    return json.dumps(content, indent=1, default=lambda b: b.hex()) + "\n"


def all_texts():
    """{file name: text}"""
    source = "Nacre, FORMAT.md (format 1), section %s; made by `check.py make`; every key, nonce " \
             "and identifier is SHAKE-128 of a label"
    sealed = "Nacre, SEALED-FILE.md (format 2), section %s; made by `check.py make`; every key, " \
             "nonce and identifier is SHAKE-128 of a label"
    return {"envelope.json": text_of(source % '"Envelope"', make_envelope.cases()),
            "keys.json": text_of(source % '"Keys"', make_keys.cases()),
            "blind-index.json": text_of(source % '"Blind index"', make_index.cases(),
                                        accumulated=make_index.accumulated()),
            "sealed-header.json": text_of(sealed % '"Header"', make_header.cases()),
            "sealed-page.json": text_of(sealed % '"Sealed page"', make_pages.cases()),
            "sealed-log.json": text_of(sealed % '"Log" and "Rollback journal"',
                                       [*make_logs.cases(), *make_journals.cases()]),
            "sealed-rekey.json": text_of(sealed % '"Rekey journal"', make_rekey.cases())}


def write_all(folder):
    for name, text in all_texts().items():
        (folder / name).write_bytes(text.encode("ascii"))
        print(f"{name}: {len(text)} bytes, sha256 {hashlib.sha256(text.encode()).hexdigest()}")
    return True
