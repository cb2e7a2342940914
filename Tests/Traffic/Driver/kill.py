#!/usr/bin/env python3
"""Kills what changes keys, at random moments, and looks at what is left: script/kill."""

import collections
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time

from processes import (
    HELD, LEASE_SECONDS, Companion, Deviation, Programs, drive, events, options, run, status, table, words)

OBJECTS = 4_500  # with some 21,000 sealed values
FEW_OBJECTS = 200
CHAINS_PER_STORE = 4
ROTATION_PHASES = ("pending", "sealing", "scanning", "clearing", "done")
FILE_PHASES = ("sealing", "scanning")
CONVERSION_PHASES = ("converting", "verifying", "clearing")
SERVER_OBJECTS = 1_200
NO_SUCH_SECRET = (20, 21)  # exit statuses of nacre: it opens no slot, or there is no key file


class Store:
    """A store with the logs of those who wrote to it."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder
        self.path = folder / "store.db"
        self.key = folder / "store.key"
        self.logs = [folder / "make.log"]

    @classmethod
    def make(cls, programs, folder, count):
        store = cls(programs, folder)
        folder.mkdir()
        run(programs.make(store.path, store.key, count, store.logs[0]))
        return store

    def copy(self, folder):
        shutil.copytree(self.folder, folder)
        return Store(self.programs, folder)

    def nacre(self, verb, *more, key=None):
        return self.programs.nacre(verb, self.path, *more, "--key-file", key or self.key)

    def traffic(self, verb, *more):
        return self.programs.traffic(verb, self.path, "--key-file", self.key, *more)

    def writer(self, seed):
        self.logs.append(self.folder / f"writer{len(self.logs)}.log")
        return Companion(self.traffic(
            "write", "--seed", seed, "--pause-us", 500, "--log", self.logs[-1]))

    def check(self):
        """Holds that everything is there and right; gives a summary."""
        logs = [word for log in self.logs for word in ("--log", log)]
        found = json.loads(run(self.traffic("check", *logs)))
        if found["unfinished"] > 1:
            raise Deviation(f"{found['unfinished']} rows of the journal are not finished")
        for purpose in ("field", "index"):
            primary = [key for key in found["keys"]
                       if key["purpose"] == purpose and key["state"] == "primary"]
            if len(primary) != 1:
                raise Deviation(f"{len(primary)} {purpose} keys are primary")
        return found

    def keys(self):
        return states(self.check())

    def opens(self, key):
        """Whether a key file opens the store and its ring is verified."""
        code = status(self.nacre("status", key=key))
        if code not in (0, *NO_SUCH_SECRET):
            raise Deviation(f"{key.name} is refused with exit {code}")
        return code == 0


class ServerStore(Store):
    """A store in a database of its own on the server of script/postgres."""

    def __init__(self, programs, folder):
        super().__init__(programs, folder)
        self.database = f"kill_{folder.name}"
        self.path = os.environ["NACRE_POSTGRES"].replace("/postgres?", f"/{self.database}?")

    @classmethod
    def make(cls, programs, folder, count):
        sql(f"CREATE DATABASE kill_{folder.name}")
        return super().make(programs, folder, count)

    def copy(self, folder):
        shutil.copytree(self.folder, folder)
        other = ServerStore(self.programs, folder)
        sql(f"CREATE DATABASE {other.database} TEMPLATE {self.database}")
        return other

    def end_lease(self):
        """Lets the lease of a killed process run out at once."""
        if sql("SELECT to_regclass('nacre_lease')", self.path).strip():
            sql("UPDATE nacre_lease SET expires = '-infinity'", self.path)


def sql(statement, url=None):
    url = url or os.environ["NACRE_POSTGRES"]
    return run(["psql", "-qtAX", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statement])


def states(found):
    """The state of each key of a summary."""
    return {key["id"]: key["state"] for key in found["keys"]}


def kill_after(command, delay, phase=None):
    """Starts a command and kills it, so many seconds behind its start or an event of a phase; says whether it was."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output = []
    if phase:
        for line in process.stdout:
            output.append(line)
            if json.loads(line).get("phase") == phase:
                break
    reading = threading.Thread(target=lambda: output.extend(process.stdout), daemon=True)
    reading.start()
    time.sleep(delay)
    process.kill()
    complaint = process.stderr.read()
    reading.join()
    code = process.wait()
    if code not in (0, -9):
        raise Deviation(f"{words(command)}: exit {code}: {complaint.strip()}")
    return code == -9


class Kills:
    """What a kind of kills has in common: how many, and where they hit."""

    kind = ""

    def __init__(self, programs, folder, seed):
        self.programs = programs
        self.folder = folder / self.kind.replace(" ", "-")
        self.folder.mkdir()
        self.seed = seed
        self.hits = collections.Counter()
        self.prepare()

    def run(self, count):
        number = 0
        while sum(self.hits.values()) < count:
            number += 1
            if number > 10 * count + 100:
                raise Deviation(f"{self.kind}: most processes end before they are killed")
            # The choices of a round depend on nothing that happened before it.
            self.choose = random.Random(f"{self.seed} {self.kind} {number}")
            try:
                self.round(number)
            except Deviation as failure:
                raise Deviation(f"{self.kind}, round {number}: {failure}") from failure

    def hit(self, place):
        self.hits[place] += 1


class RotationKills(Kills):
    kind = "rotate"
    has_writers = True

    def prepare(self):
        self.base = Store.make(self.programs, self.folder / "base", OBJECTS)
        store = self.base.copy(self.folder / "measured")
        self.times = measured(store.nacre("rotate", "--json"))

    def round(self, number):
        """One rotation, killed up to five times and then finished."""
        choose = self.choose
        if number % CHAINS_PER_STORE == 1:
            self.store = self.base.copy(self.folder / str(number))
        self.found = self.store.check()
        purpose = choose.choice(["", "field", "index"])
        more = ["--json", "--batch", choose.choice([20, 100, 500])]
        if purpose:
            more += ["--purpose", purpose]
        command = self.store.nacre("rotate", *more)
        for attempt in range(choose.randint(1, 5)):
            self.kill(command, 1000 * number + attempt)
        end = self.finish(command)
        # It may have been killed behind its end: then this was another one, or there was nothing left.
        if end["outcome"] != "finished" or end["failed"]:
            raise Deviation(f"the rotation ended with {json.dumps(end)}")
        self.finished(self.store.check(), purpose)

    def finish(self, command):
        return events(run(command))[-1]

    def kill(self, command, seed):
        choose = self.choose
        writer = self.store.writer(seed) if self.has_writers and choose.random() < 0.3 else None
        try:
            phase, delay = choice_of_moment(choose, self.times, ROTATION_PHASES)
            was_killed = kill_after(command, delay, phase)
            if writer:
                writer.stop()
        finally:
            if writer:
                writer.end()
        before, found = self.found, self.store.check()
        self.found = found
        if not was_killed:
            self.finished(found, "")
        elif found["unfinished"]:
            self.hit(found["phase"])
        else:
            self.hit("not begun" if states(found) == states(before) else "done")

    def finished(self, found, purpose):
        if found["unfinished"]:
            raise Deviation("the rotation is not finished")
        for key in found["keys"]:
            is_former = key["state"] != "primary"
            is_over = key["state"] in ("primary", "disabled", "destroyed")
            if (is_former and key["values"]) or (purpose in ("", key["purpose"]) and not is_over):
                raise Deviation(f"{key['purpose']} key {key['id']} is {key['state']} "
                                f"and named by {key['values']} values")


class ServerKills(RotationKills):
    """Rotations on a server, where the right to rotate is a lease that a killed process can't give back."""

    kind = "rotate on a server"
    has_writers = False  # theirs is SQL in which a server takes names in lower case

    def prepare(self):
        self.waits = []
        self.base = ServerStore.make(self.programs, self.folder / "base", SERVER_OBJECTS)
        store = self.base.copy(self.folder / "measured")
        self.times = measured(store.nacre("rotate", "--json"))

    def kill(self, command, seed):
        self.store.end_lease()
        super().kill(command, seed)

    def finish(self, command):
        """Another process finishes the rotation; sometimes it waits until the lease has run out."""
        begun = time.monotonic()
        if self.choose.random() < 0.85:
            self.store.end_lease()
        while status(command) == HELD:
            if time.monotonic() - begun > LEASE_SECONDS + 15:
                raise Deviation("the lease of a killed process does not run out")
            time.sleep(0.5)
        if time.monotonic() - begun > LEASE_SECONDS / 2:
            self.waits.append(time.monotonic() - begun)
        # There is nothing left for this one but to seal once more, and to say how that ended.
        return super().finish(command)


class FileKills(Kills):
    """Rotations of a sealed file's key, under which every page is sealed anew."""

    kind = "rotate file"

    def prepare(self):
        self.base = Store.make(self.programs, self.folder / "base", OBJECTS)
        store = self.base.copy(self.folder / "measured")
        self.times = measured(self.command(store))

    def command(self, store):
        return store.nacre("rotate", "--purpose", "file", "--json")

    def round(self, number):
        """One rotation, killed up to five times beside a writer, and then finished."""
        choose = self.choose
        if number % CHAINS_PER_STORE == 1:
            self.store = self.base.copy(self.folder / str(number))
        for attempt in range(choose.randint(1, 5)):
            writer = self.store.writer(1000 * number + attempt) if choose.random() < 0.5 else None
            try:
                phase, delay = choice_of_moment(choose, self.times, FILE_PHASES)
                was_killed = kill_after(self.command(self.store), delay, phase)
                if writer:
                    writer.stop()
            finally:
                if writer:
                    writer.end()
            if was_killed:
                is_left = (self.store.folder / "store.db-nrekey").exists()
                self.hit("with a journal" if is_left else "without a journal")
            self.store.check()
        end = events(run(self.command(self.store)))[-1]
        if end["outcome"] != "finished" or end["badPages"]:
            raise Deviation(f"the rotation ended with {json.dumps(end)}")
        run(self.store.nacre("verify"))
        for key in end["disabled"]:
            run(self.store.nacre("key destroy", key, "--yes"))
        self.store.check()


class FormatKills(Kills):
    """Conversions of a plain store to a sealed file, and back."""

    kind = "convert file"

    def prepare(self):
        self.store = Store.make(self.programs, self.folder / "store", OBJECTS)
        self.moment = 0
        # Once there and back, so that the slower one is known.
        for _ in range(2):
            begun = time.monotonic()
            self.finish(not self.is_sealed())
            self.moment = max(self.moment, time.monotonic() - begun)

    def is_sealed(self):
        with open(self.store.path, "rb") as file:
            return not file.read(16).startswith(b"SQLite format 3")

    def command(self, seals):
        return self.store.nacre("convert", "--seal-file" if seals else "--unseal-file")

    def finish(self, seals):
        run(self.command(seals))
        self.store.check()
        left = [path.name for path in self.store.folder.iterdir() if "-nconvert" in path.name]
        if left or self.is_sealed() != seals:
            raise Deviation(f"the conversion has left {left or 'the former file'}")

    def round(self, _):
        """One conversion, killed up to three times, and then finished."""
        choose = self.choose
        seals = not self.is_sealed()
        for _ in range(choose.randint(1, 3)):
            was_killed = kill_after(self.command(seals), choose.uniform(0, 1.1 * self.moment))
            has_draft = (self.store.folder / "store.db-nconvert").exists()
            self.store.check()
            if was_killed:
                self.hit("behind the exchange" if self.is_sealed() == seals
                         else "with a draft" if has_draft else "without a draft")
        self.finish(seals)


class ConversionKills(Kills):
    kind = "convert"

    def prepare(self):
        self.store = Store.make(self.programs, self.folder / "store", OBJECTS)
        self.times = {form: measured(self.command(form)) for form in ("plain", "sealed")}

    def command(self, form):
        return self.store.traffic("convert", "--to", form)

    def round(self, _):
        """One conversion, killed up to three times, and then finished or taken back."""
        choose = self.choose
        before = self.store.check()["holder"]
        form = "plain" if before == "sealed" else "sealed"
        for _ in range(choose.randint(1, 3)):
            phase, delay = choice_of_moment(choose, self.times[form], CONVERSION_PHASES)
            was_killed = kill_after(self.command(form), delay, phase)
            found = self.store.check()
            if was_killed and found["unfinished"]:
                self.hit(found["phase"])
            elif was_killed:
                self.hit("not begun" if found["holder"] == before else "done")
        if choose.random() < 0.3:
            run(self.command("back"))
        else:
            run(self.command(form))
        found = self.store.check()
        if found["holder"] == "converting":
            raise Deviation("the conversion is not finished")
        # Its last step may have been killed, which the next call takes first.
        run(self.command(found["holder"]))
        if self.store.check()["unfinished"]:
            raise Deviation("the conversion's journal is not finished")


class SmallKills(Kills):
    """Changes that take milliseconds: killed about when they are committed, which is found by trying."""

    def prepare(self):
        self.store = Store.make(self.programs, self.folder / "store", FEW_OBJECTS)
        begun = time.monotonic()
        run(self.store.nacre("status"))
        self.first_moment = time.monotonic() - begun
        self.moments = {}

    def kill(self, verb, command):
        self.verb = verb
        moment = self.moments.setdefault(verb, self.first_moment)
        if self.choose.random() < 0.2:
            return kill_after(command, self.choose.uniform(0, 1.5 * moment))
        return kill_after(command, max(0, self.choose.gauss(moment, 0.05 * moment)))

    def note(self, was_killed, is_changed):
        self.moments[self.verb] *= 0.95 if is_changed else 1.05
        if was_killed:
            self.hit("behind the change" if is_changed else "before the change")

    def hold(self, holds, what):
        if not holds:
            raise Deviation(what)


class SlotKills(SmallKills):
    kind = "slot"

    def round(self, number):
        store = self.store
        key, other = store.folder / f"{number}.key", store.folder / f"{number}-changed.key"
        slot = max(store.check()["slots"]) + 1

        add = store.nacre("slot add", "--new-key-file", key)
        was_killed = self.kill("add", add)
        is_there = slot in store.check()["slots"]
        self.hold(store.opens(key) == is_there, "a key file opens a slot that is not there, or not its own")
        self.note(was_killed, is_there)
        if not is_there:
            run(add)
        self.hold(store.opens(key), "an added slot does not open")

        change = self.of_slot("slot change", slot, "--new-key-file", other)
        was_killed = self.kill("change", change)
        is_changed = store.opens(other)
        self.hold(store.opens(key) != is_changed, "both secrets open the slot, or neither")
        self.hold(slot in store.check()["slots"], "a changed slot is gone")
        self.note(was_killed, is_changed)
        if not is_changed:
            run(change)
        self.hold(store.opens(other) and not store.opens(key), "a slot is not changed")

        remove = self.of_slot("slot remove", slot)
        was_killed = self.kill("remove", remove)
        is_there = slot in store.check()["slots"]
        self.hold(store.opens(other) == is_there, "a removed slot opens, or one that is there does not")
        self.note(was_killed, not is_there)
        if is_there:
            run(remove)
        self.hold(not store.opens(other), "a removed slot opens")

    def of_slot(self, verb, slot, *more):
        return self.store.nacre(verb, slot, *more)


class RewrapKills(SmallKills):
    kind = "rewrap"

    def round(self, number):
        store = self.store
        kept, dropped = store.folder / f"{number}.key", store.folder / f"{number}-dropped.key"
        for key in (kept, dropped):
            run(store.nacre("slot add", "--new-key-file", key))
        rewrap = store.nacre("rewrap", "--keep-key-file", kept, "--drop-slots")
        was_killed = self.kill("rewrap", rewrap)
        store.check()
        self.hold(store.opens(kept), "a slot that was kept does not open")
        is_changed = not store.opens(dropped)
        self.note(was_killed, is_changed)
        if not is_changed:
            run(rewrap)
            self.hold(not store.opens(dropped), "a dropped slot opens")
        self.hold(store.opens(store.key) and store.opens(kept), "a kept slot does not open")
        # The other way around, so that the slots stay few: it keeps the store's own alone.
        run(store.nacre("rewrap", "--drop-slots"))
        store.check()


class KeyKills(SmallKills):
    kind = "key"

    def round(self, _):
        """A key's whole life."""
        store = self.store
        before = store.keys()
        self.change(["add"], lambda after: len(after) == len(before) + 1)
        added = next(iter(store.keys().keys() - before.keys()))
        self.change(["promote", added], lambda after: after[added] == "primary")
        # Nothing needs the added key any more then.
        run(store.nacre("rotate", "--purpose", "field"))
        run(store.nacre("key enable", added))
        self.change(["disable", added], lambda after: after[added] == "disabled")
        self.change(["destroy", added], lambda after: after[added] == "destroyed", "--yes")

    def change(self, call, is_changed, *more):
        """Kills one change, and makes it where it was not."""
        verb, *ids = call
        command = self.store.nacre(f"key {verb}", *ids, *more)
        before = self.store.keys()
        was_killed = self.kill(verb, command)
        after = self.store.keys()
        self.note(was_killed, is_changed(after))
        if not is_changed(after):
            self.hold(after == before, f"key {verb} has changed something else")
            run(command)
            self.hold(is_changed(self.store.keys()), f"key {verb} has changed nothing")


def measured(command):
    """When each phase of a command begins, and its end, in seconds."""
    begun = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    times = {}
    for line in process.stdout:
        times.setdefault(json.loads(line).get("phase"), time.monotonic() - begun)
    if process.wait() != 0:
        raise Deviation(f"{words(command)}: exit {process.returncode}")
    times["end"] = time.monotonic() - begun
    return times


def choice_of_moment(choose, times, phases):
    """A moment of the whole run, or of one phase: the phase to wait for, and the delay behind its beginning."""
    if choose.random() < 0.5:
        return None, choose.uniform(0, times["end"])
    phase = choose.choice(phases)
    begin = times.get(phase, 0)
    end = min((time for time in times.values() if time > begin), default=begin)
    return phase, choose.uniform(0, max(end - begin, 0.003))


def test_on_server(programs, given, folder):
    begun = time.monotonic()
    kills = ServerKills(programs, folder, given.seed)
    kills.run(given.kills)
    places = ", ".join(f"{place} {hits}" for place, hits in sorted(kills.hits.items()))
    table([("kind", "kills", "seconds", "where they hit"),
           (kills.kind, sum(kills.hits.values()), f"{time.monotonic() - begun:.0f}", places)])
    waits = ", ".join(f"{seconds:.0f}" for seconds in kills.waits) or "none"
    print(f"  seconds until another process went on, where nothing but time ended the lease: {waits}")


def test(programs, given, folder):
    kinds = [ConversionKills, FormatKills, SlotKills, RewrapKills, KeyKills]
    if given.sealed_file:
        kinds.append(FileKills)
    shares = {RotationKills: given.kills - len(kinds) * (given.kills // 9)}
    for kind in kinds:
        shares[kind] = given.kills // 9
    rows = [("kind", "kills", "seconds", "where they hit")]
    for kind, count in shares.items():
        begun = time.monotonic()
        kills = kind(programs, folder, given.seed)
        kills.run(count)
        places = ", ".join(f"{place} {hits}" for place, hits in sorted(kills.hits.items()))
        rows.append((kind.kind, sum(kills.hits.values()), f"{time.monotonic() - begun:.0f}", places))
    table(rows)


if __name__ == "__main__":
    given = options(__doc__, can_use_server=True, kills=200, seed=random.randrange(1_000_000))
    programs = Programs(given.programs, given.sealed_file)
    again = f"--seed {given.seed}" + (" --sealed-file" if given.sealed_file else "") + (
        " --postgres" if given.postgres else "")
    work = test_on_server if given.postgres else test
    sys.exit(drive("kill", lambda folder, cleaning: work(programs, given, folder),
                   f"; the same choices again: {again}"))
