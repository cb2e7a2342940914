#!/usr/bin/env python3
"""Kills the primary of two servers under pg_auto_failover while writers and a rotation go on: script/failover."""

import collections
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from processes import HELD, Companion, Deviation, Programs, drive, run, server_options, status

# How long a cluster may take to be whole, and the writers to go on after a kill.
PATIENCE = 120

# The monitor's settings for a machine whose servers answer at once; its own are for data centers.
MONITOR_SETTINGS = {
    "health_check_period": 1000,
    "health_check_timeout": 1000,
    "health_check_retry_delay": 500,
    "node_considered_unhealthy_timeout": 3000,
    "primary_demote_timeout": 3000,
    "startup_grace_period": 1000,
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def descendants(process):
    """The processes that a process has started, and those that they have, and itself."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found, rest = [], [process]
    while rest:
        found.append(rest.pop())
        rest += parents.get(found[-1], [])
    return found


class Node:
    """A server and the agent that keeps it, in a directory of its owner."""

    def __init__(self, cluster, name, *command):
        self.cluster, self.name, self.command = cluster, name, command
        self.port = free_port()
        self.process = None

    def start(self):
        """Makes and starts the server, or starts it again."""
        words = ["pg_autoctl", "run"]
        if self.process is None:
            words = ["pg_autoctl", *self.command, "--run", "--pgport", str(self.port),
                     "--pgctl", str(self.cluster.bin / "pg_ctl"), "--hostname", "localhost",
                     "--auth", "trust", "--no-ssl"]
        words += ["--pgdata", str(self.cluster.home / self.name)]
        with open(self.cluster.logs / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.cluster.owner, *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def kill(self):
        """Ends the agent, the server and all its sessions at once, as a loss of power would."""
        for process in descendants(self.process.pid):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def query(self, sql, database="nacre", user="nacre"):
        """The result as text; None if the server does not answer."""
        done = subprocess.run(
            [str(self.cluster.bin / "psql"), "-qtAX", "-h", "localhost", "-p", str(self.port),
             "-U", user, "-d", database, "-c", sql],
            capture_output=True, text=True, timeout=60)
        return done.stdout.strip() if done.returncode == 0 else None


class Cluster:
    def __init__(self, postgres, logs, cleaning):
        self.bin, self.logs = Path(postgres), logs
        # The path of a socket has at most 107 bytes.
        self.home = Path(tempfile.mkdtemp(prefix="nacre-failover-", dir="/tmp"))
        cleaning.callback(lambda: shutil.rmtree(self.home, ignore_errors=True))
        self.owner = self.become_owner()
        self.monitor = Node(self, "monitor", "create", "monitor")
        self.nodes = []
        cleaning.callback(self.end)

    def become_owner(self):
        """The words before a command of the servers' owner: PostgreSQL refuses to run as root."""
        words = ["env", "-C", str(self.home), f"HOME={self.home}",
                 f"PATH={os.environ['PATH']}:{self.bin}"]
        for name in ("CONFIG_HOME", "DATA_HOME", "RUNTIME_DIR"):
            (self.home / name).mkdir()
            words.append(f"XDG_{name}={self.home / name}")
        if os.geteuid() != 0:
            return words
        owner = pwd.getpwnam("postgres")
        for path in (self.home, *self.home.iterdir()):
            os.chown(path, owner.pw_uid, owner.pw_gid)
        return ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups",
                *words]

    def start(self):
        self.monitor.start()
        self.wait("the monitor runs", lambda: self.ask_monitor("SELECT 1") == "1")
        for name, value in MONITOR_SETTINGS.items():
            self.ask_monitor(f"ALTER SYSTEM SET pgautofailover.{name} = {value}")
        self.ask_monitor("SELECT pg_reload_conf()")
        for name in ("node1", "node2"):
            node = Node(self, name, "create", "postgres", "--name", name, "--username", "nacre",
                        "--dbname", "nacre", "--monitor",
                        f"postgres://autoctl_node@localhost:{self.monitor.port}/pg_auto_failover")
            self.nodes.append(node)
            node.start()
            self.wait(f"{name} is known", lambda: len(self.states()) == len(self.nodes))
        self.wait_until_whole()
        # The agent keeps a view of its own in the schema `public`.
        self.primary().query("CREATE SCHEMA store")

    def wait_until_whole(self):
        """Waits for a primary and a secondary, to which each commit goes before its answer."""
        def is_whole():
            # A base backup waits for a checkpoint, which is spread over minutes otherwise.
            for node in self.nodes:
                node.query("CHECKPOINT")
            return sorted(self.states().values()) == ["primary", "secondary"]
        self.wait("there are a primary and a secondary", is_whole)
        names = self.primary().query("SHOW synchronous_standby_names")
        if not names:
            raise Deviation("the primary does not wait for its secondary")

    def ask_monitor(self, sql):
        # The superuser's name is that of the servers' owner.
        name = pwd.getpwuid(os.geteuid()).pw_name if os.geteuid() else "postgres"
        return self.monitor.query(sql, "pg_auto_failover", name)

    def states(self):
        rows = self.ask_monitor("SELECT nodename, reportedstate FROM pgautofailover.node") or ""
        return dict(row.split("|") for row in rows.splitlines())

    def primary(self):
        names = [name for name, state in self.states().items()
                 if state in ("primary", "wait_primary", "single")]
        if len(names) != 1:
            raise Deviation(f"the primaries are {names}")
        return next(node for node in self.nodes if node.name == names[0])

    def wait(self, what, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise Deviation(f"not in {PATIENCE} s: {what}; the states are {self.states()}")
            time.sleep(0.2)

    @property
    def url(self):
        """Both servers; libpq takes the one that can be written."""
        hosts = ",".join(f"localhost:{node.port}" for node in self.nodes)
        return (f"postgresql://nacre@{hosts}/nacre?target_session_attrs=read-write"
                "&connect_timeout=2&options=-csearch_path%3Dstore")

    def end(self):
        for node in (*self.nodes, self.monitor):
            if node.process and node.process.poll() is None:
                node.kill()


class Rotations:
    """Rotations of all keys, one after another, each as slow as to take some seconds."""

    # Values whose keys change, besides those that the writers insert.
    COUNT, RATE = 5000, 2000

    def __init__(self, programs, url, key):
        self.again = programs.nacre("rotate", url, "--key-file", key, "--rate", self.RATE)
        self.last = programs.nacre("rotate", url, "--key-file", key)
        self.verify = programs.nacre("verify", url, "--key-file", key)
        self.finished, self.failed = 0, collections.Counter()
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.go_on)
        self.thread.start()

    def go_on(self):
        while not self.is_over.is_set():
            result = status(self.again)
            if result == 0:
                self.finished += 1
            else:
                self.failed[result] += 1
                self.is_over.wait(0.5)

    def end(self):
        self.is_over.set()
        self.thread.join()

    def check(self):
        """Finishes what was begun, and opens every value."""
        self.end()
        # The lease of a rotation that was cut off runs out after half a minute.
        deadline = time.monotonic() + PATIENCE
        while status(self.last) == HELD and time.monotonic() < deadline:
            time.sleep(1)
        run(self.last)
        run(self.verify)
        failed = ", ".join(f"{count} with {result}" for result, count in sorted(self.failed.items()))
        print(f"  {self.finished + 1} rotations finished, {sum(self.failed.values())} did not "
              f"(exit status: {failed or 'none'}) and were gone on with; every value opens")
        if not self.failed:
            raise Deviation("no rotation ran while a primary was killed")


class Failover:
    def __init__(self, given, folder, cleaning):
        self.given, self.folder, self.cleaning = given, folder, cleaning
        self.programs = Programs(given.programs)
        self.cluster = Cluster(given.postgres, folder, cleaning)
        self.key = folder / "store.key"
        self.logs = []
        self.writers = []
        # The longest wait between two commits since the last kill.
        self.longest = 0

    def run(self):
        self.cluster.start()
        url = self.cluster.url
        run(self.programs.traffic(
            "make", url, "--key-file", self.key, "--seed", 100, "--count", Rotations.COUNT,
            "--log", self.folder / "make.log"))
        self.logs.append(self.folder / "make.log")
        for number in range(self.given.writers):
            self.logs.append(self.folder / f"writer{number}.log")
            writer = Companion(self.programs.traffic(
                "outlast", url, "--key-file", self.key, "--seed", number, "--log", self.logs[-1]))
            self.cleaning.callback(writer.end)
            self.writers.append(writer)
        rotations = Rotations(self.programs, url, self.key)
        self.cleaning.callback(rotations.end)
        for number in range(self.given.kills):
            self.kill(number + 1)
        time.sleep(1)
        rotations.check()
        failures = sum(counts["failures"] for counts in self.counts())
        for writer in self.writers:
            writer.stop()
        words = [word for log in self.logs for word in ("--log", log)]
        found = json.loads(run(self.programs.traffic(
            "survived", url, "--key-file", self.key, *words)))
        print(f"  {found['acknowledged']} acknowledged inserts are all there, each once, and open; "
              f"{failures} failed, {found['unknown']} of them without an answer to their commit, of "
              f"which {found['unknownStored']} are stored")

    def kill(self, number):
        self.wait_for_commits("each writer commits")
        victim = self.cluster.primary()
        self.counts()
        self.longest = 0
        begun = time.monotonic()
        victim.kill()
        self.wait_for_commits("each writer commits after the kill")
        seconds = time.monotonic() - begun
        print(f"  kill {number}: {victim.name} is gone; all writers went on after {seconds:.1f} s; "
              f"the longest wait between two commits was {self.longest:.1f} s", flush=True)
        victim.start()
        self.cluster.wait_until_whole()

    def counts(self):
        counts = [writer.counts() for writer in self.writers]
        gap = max(each["longestGapMilliseconds"] for each in counts) / 1000
        self.longest = max(self.longest, gap)
        return counts

    def wait_for_commits(self, what):
        """Waits until every writer has committed three more objects."""
        wanted = [counts["commits"] + 3 for counts in self.counts()]
        self.cluster.wait(what, lambda: all(
            counts["commits"] >= count for counts, count in zip(self.counts(), wanted)))


if __name__ == "__main__":
    given = server_options(__doc__, kills=3, writers=2)
    sys.exit(drive("failover", lambda folder, cleaning: Failover(given, folder, cleaning).run()))
