#!/usr/bin/env python3
"""Changes the keys of a store while two writers and two readers go on: script/traffic."""

import json
import sys
import time

from processes import Companion, Deviation, Programs, drive, events, options, run, table

# An object has at least so many sealed values.
VALUES_PER_OBJECT = 4


class Traffic:
    def __init__(self, programs, given, folder, cleaning):
        self.programs = programs
        self.given = given
        self.folder = folder
        self.cleaning = cleaning
        self.store = folder / "store.db"
        self.key = folder / "store.key"
        self.second_key = folder / "second.key"
        self.logs = [folder / "make.log", folder / "writer1.log", folder / "writer2.log"]
        self.writers, self.readers = [], []
        self.rows = [("step", "seconds", "values", "values/s", "commits", "commits/s", "reads/s",
                      "longest commit ms")]

    def run(self):
        self.make()
        self.start()
        self.step("alone", lambda: time.sleep(self.given.seconds))
        self.step("rotate", self.rotate)
        self.step("rotate --purpose index", lambda: self.rotate("--purpose", "index"))
        if self.given.sealed_file:
            self.step("rotate --purpose file", lambda: self.rotate("--purpose", "file"))
        self.step("slot add", lambda: self.nacre("slot add", "--new-key-file", self.second_key))
        self.step("rewrap", lambda: self.nacre("rewrap", "--keep-key-file", self.second_key))
        # The ring is followed at the next transaction, and was wrapped anew: the secrets are asked for again.
        self.step("rotate, rewrapped", lambda: self.rotate("--purpose", "field"))
        for companion in self.writers + self.readers:
            companion.stop()
        table(self.rows)
        self.check()

    # Steps

    def make(self):
        count = -(-self.given.values // VALUES_PER_OBJECT)
        run(self.programs.make(self.store, self.key, count, self.logs[0]))

    def start(self):
        def companion(verb, seed, *more):
            made = Companion(self.programs.traffic(
                verb, self.store, "--key-file", self.key, "--seed", seed, *more))
            self.cleaning.callback(made.end)
            return made

        for number in (1, 2):
            self.writers.append(companion("write", 10 + number, "--log", self.logs[number]))
            self.readers.append(companion("read", 20 + number))

    def nacre(self, verb, *more):
        return run(self.programs.nacre(verb, self.store, "--key-file", self.key, *more))

    def rotate(self, *more):
        """Rotates to the end; gives how many values, index tokens and pages were made anew."""
        end = events(self.nacre("rotate", "--json", *more))[-1]
        if end["outcome"] != "finished" or end["failed"] or end["remnants"]:
            raise Deviation(f"the rotation ended with {json.dumps(end)}")
        return end["resealed"] + end["reindexed"] + end["pages"]

    def step(self, name, work):
        """Does something while the others go on; notes what they did meanwhile."""
        before = self.counts()
        begun = time.monotonic()
        made = work()
        seconds = time.monotonic() - begun
        # A change takes milliseconds: what it does to the others is seen behind it.
        time.sleep(max(0, 0.5 - seconds))
        after = self.counts()
        span = after["time"] - before["time"]
        commits, reads = after["commits"] - before["commits"], after["reads"] - before["reads"]
        if not commits or not reads:
            raise Deviation(f"{name}: {commits} commits and {reads} reads were made meanwhile")
        is_rotation = isinstance(made, int)
        self.rows.append((
            name, round(seconds, 1), made if is_rotation else "",
            round(made / seconds) if is_rotation else "", commits, round(commits / span),
            round(reads / span), round(after["longest"])))

    def counts(self):
        writers = [writer.counts() for writer in self.writers]
        readers = [reader.counts() for reader in self.readers]
        return {
            "time": time.monotonic(),
            "commits": sum(counts["commits"] for counts in writers),
            "reads": sum(counts["reads"] for counts in readers),
            "longest": max(counts["longestCommitMilliseconds"] for counts in writers),
        }

    # What is left behind

    def check(self):
        logs = [word for log in self.logs for word in ("--log", log)]
        for key in (self.key, self.second_key):
            found = run(self.programs.traffic("check", self.store, "--key-file", key, *logs))
        found = json.loads(found)
        self.nacre("verify")
        if found["unfinished"]:
            raise Deviation("a rotation is not finished")
        keys = found["keys"]
        # Two rotations of each purpose have left two keys that nothing names.
        for purpose in ("field", "index"):
            states = sorted(key["state"] for key in keys if key["purpose"] == purpose)
            if states != ["disabled", "disabled", "primary"]:
                raise Deviation(f"the {purpose} keys are {', '.join(states)}")
        if any(key["values"] for key in keys if key["state"] != "primary"):
            raise Deviation("values name keys that are not primary any more")
        for key in keys:
            if key["state"] == "disabled":
                run(self.programs.nacre("key destroy", self.store, key["id"], "--yes",
                                        "--key-file", self.key))
        print(f"  {found['objects']} objects with {found['values']} sealed values are all there, each "
              "computed again; the old keys were needed by none and are destroyed.")


if __name__ == "__main__":
    given = options(__doc__, values=100_000, seconds=2)
    sys.exit(drive("traffic", lambda folder, cleaning: Traffic(
        Programs(given.programs, given.sealed_file), given, folder, cleaning).run()))
