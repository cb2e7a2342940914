"""Runs the cases of sealed-log.json and sealed-rekey.json: log and journals. As in cases.py, each function returns
(outcome, what was computed); `noLog` and `noJournal` are outcomes like others."""

from . import journal, log, rekey
from .case import Mismatch
from .cases_sealed import file_keys_of, runner
from .primitives import sha256


def run_log_header(case):
    file_keys, data, page_size = file_keys_of(case), case.parts("log"), case["pageSize"]
    try:
        read = log.read_header(data, file_keys, page_size)
    except log.NoLog:
        return "noLog", {}
    key_id, nonce = int.from_bytes(data[80:84], "big"), data[56:80]
    return "opens", {
        "keyID": key_id, "nonce": nonce, "tag": data[40:56], "salts": read.salts,
        "order": read.order, "aad": log.log_aad(data, file_keys.store_id, key_id),
        "log": log.build_header(file_keys.store_id, key_id, file_keys.keys[key_id][1], nonce,
                                page_size, data[96:log.HEADER]).hex()}


def run_log(case):
    file_keys, data, page_size = file_keys_of(case), case.parts("log"), case["pageSize"]
    try:
        _, frames = log.read_frames(data, file_keys, page_size)
    except log.NoLog:
        return "noLog", {}
    return "opens", {"committed": len(log.committed(frames)), "frames": [
        {"page": frame.page, "databaseSize": frame.database_size, "keyID": frame.key_id,
         "contentSHA256": sha256(frame.content).hex()} for frame in frames]}


def run_journal_header(case):
    file_keys, data, page_size = file_keys_of(case), case.parts("header"), case["pageSize"]
    offset = case["headerOffset"]
    try:
        segment = journal.read_header(data, offset, file_keys, page_size)
    except journal.NoHeader:
        return "noJournal", {}
    key_id, nonce = int.from_bytes(data[480:484], "big"), data[456:480]
    made = journal.build_header(file_keys.store_id, key_id, file_keys.keys[key_id][1], nonce,
                                page_size, segment)
    if made != data:
        raise Mismatch("written again, the header is another")
    return "opens", {
        "keyID": key_id, "nonce": nonce, "tag": data[440:456], "journalID": segment.journal_id,
        "count": segment.count, "checksumSeed": segment.seed, "databaseSize": segment.database_size,
        "aad": journal.journal_aad(data, file_keys.store_id, key_id, offset)}


def run_journal(case):
    file_keys, data = file_keys_of(case), case.parts("journal")
    segments, records = journal.read(data, file_keys, case["pageSize"])
    if not segments:
        return "noJournal", {}
    return "opens", {"databaseSize": segments[0].database_size, "headers": len(segments), "records": [
        {"recordOffset": record.offset, "page": record.page, "keyID": record.key_id,
         "contentSHA256": sha256(record.content).hex()} for record in records]}


def run_rekey(case):
    file_keys, data, page_size = file_keys_of(case), case.parts("journal"), case["pageSize"]
    try:
        count, records = rekey.read(data, file_keys, page_size)
    except rekey.NoJournal:
        return "noJournal", {}
    key_id, nonce = int.from_bytes(data[88:92], "big"), data[64:88]
    end = rekey.HEADER + count * (4 + page_size)
    made = rekey.build(file_keys.store_id, key_id, file_keys.keys[key_id][1], nonce, page_size, count,
                       data[rekey.HEADER:end])
    if made != data[:end]:
        raise Mismatch("written again, the journal is another")
    return "opens", {
        "keyID": key_id, "nonce": nonce, "tag": data[48:64], "count": count,
        "aad": rekey.rekey_aad(data, file_keys.store_id, key_id, data[rekey.HEADER:end], page_size),
        "records": [{"page": record.page, "keyID": record.key_id,
                     "contentSHA256": sha256(record.content).hex()} for record in records]}


RUNNERS = {"sealed-rekey.json": runner({"rekey": run_rekey}),
           "sealed-log.json": runner({
               "logHeader": run_log_header, "log": run_log, "journalHeader": run_journal_header,
               "journal": run_journal})}
