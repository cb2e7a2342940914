#!/usr/bin/env python3
"""Changes keys from two hosts, kills the one that does it or takes its network away, and lets the other go on:
script/hosts."""

import json
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import BUSY, HELD, LEASE_SECONDS, Companion, Deviation, Programs, drive, run, server_options

# How long a command may take whose server is gone: libpq's bound for a silent peer, and the store's own for the rest.
SILENCE = 120
VALUES, RATE = 6000, 1500


def call(*words):
    return run([str(word) for word in words])


class Host:
    """A network and a name of its own, connected to the server's network by a line that can be cut."""

    def __init__(self, number, cleaning):
        self.number, self.name = number, f"host{number}"
        self.space = f"nacre{os.getpid()}-{number}"
        self.line = f"nh{os.getpid() % 100000}-{number}"
        self.server = f"10.213.{number}.1"
        call("ip", "netns", "add", self.space)
        cleaning.callback(lambda: call("ip", "netns", "delete", self.space))
        call("ip", "link", "add", self.line, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        call("ip", "address", "add", f"{self.server}/24", "dev", self.line)
        self.connect()
        for words in (("address", "add", f"10.213.{number}.2/24", "dev", "eth0"),
                      ("link", "set", "eth0", "up"), ("link", "set", "lo", "up")):
            call("ip", "-n", self.space, *words)

    def connect(self):
        call("ip", "link", "set", self.line, "up")

    def cut(self):
        call("ip", "link", "set", self.line, "down")

    def command(self, words):
        """The command as it runs on this host."""
        inner = ["sh", "-c", f'hostname {self.name} && exec "$@"', "sh", *words]
        return ["ip", "netns", "exec", self.space, "unshare", "--uts", *inner]


class Server:
    """A server that only takes connections with TLS, under a certificate of an authority of the test's own."""

    def __init__(self, postgres, folder, hosts, cleaning):
        self.bin, self.folder, self.hosts = Path(postgres), folder, hosts
        self.home = Path(tempfile.mkdtemp(prefix="nacre-hosts-", dir="/tmp"))
        cleaning.callback(lambda: shutil.rmtree(self.home, ignore_errors=True))
        self.data, self.root = self.home / "data", self.home / "root.crt"
        self.owner = pwd.getpwnam("postgres")
        os.chown(self.home, self.owner.pw_uid, self.owner.pw_gid)
        self.home.chmod(0o755)
        self.become(self.bin / "initdb", "-D", self.data, "-U", "nacre", "-A", "trust", "-E", "UTF8",
                    "--locale=C.UTF-8", "--no-sync", "--no-instructions")
        self.certify()
        addresses = ", ".join(host.server for host in hosts)
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as settings:
            settings.write(f"listen_addresses = '{addresses}'\nunix_socket_directories = '{self.home}'\n"
                           f"ssl = on\nssl_cert_file = '{self.home}/server.crt'\n"
                           f"ssl_key_file = '{self.home}/server.key'\nfsync = off\n")
        (self.data / "pg_hba.conf").write_text(
            "local all all trust\nhostssl all all 10.213.0.0/16 trust\n", encoding="utf-8")
        self.become(self.bin / "pg_ctl", "start", "-D", self.data, "-l", self.home / "log", "-w")
        cleaning.callback(lambda: self.become(
            self.bin / "pg_ctl", "stop", "-D", self.data, "-m", "immediate"))

    def become(self, *words):
        call("setpriv", f"--reuid={self.owner.pw_uid}", f"--regid={self.owner.pw_gid}", "--clear-groups",
             "env", "-C", self.home, *words)

    def certify(self):
        names = ",".join(f"IP:{host.server}" for host in self.hosts)
        (self.home / "names").write_text(f"subjectAltName={names}", encoding="utf-8")
        quiet = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        call(*quiet, "-x509", "-days", "2", "-subj", "/CN=authority", "-keyout", self.home / "root.key",
             "-out", self.root)
        call(*quiet, "-subj", "/CN=server", "-keyout", self.home / "server.key",
             "-out", self.home / "server.csr")
        call("openssl", "x509", "-req", "-days", "2", "-in", self.home / "server.csr", "-CA", self.root,
             "-CAkey", self.home / "root.key", "-CAcreateserial", "-extfile", self.home / "names",
             "-out", self.home / "server.crt")
        for name in ("server.key", "server.crt"):
            os.chown(self.home / name, self.owner.pw_uid, self.owner.pw_gid)
        (self.home / "server.key").chmod(0o600)

    def url(self, host):
        """The store as a host reaches it; a silent peer is given up after some seconds."""
        return (f"postgresql://nacre@{host.server}/postgres?sslmode=verify-full&sslrootcert={self.root}"
                "&connect_timeout=5&tcp_user_timeout=8000&keepalives_idle=2&keepalives_interval=2"
                "&keepalives_count=3&options=-csearch_path%3Dstore")

    def query(self, sql):
        return call(self.bin / "psql", "-qtAX", "-h", self.home, "-U", "nacre", "-d", "postgres",
                    "-c", sql).strip()


class Hosts:
    def __init__(self, given, folder, cleaning):
        self.given, self.folder, self.cleaning = given, folder, cleaning
        self.programs = Programs(given.programs)
        self.hosts = [Host(number, cleaning) for number in (1, 2)]
        self.server = Server(given.postgres, folder, self.hosts, cleaning)
        self.key = folder / "store.key"
        self.random = random.Random(given.seed)
        self.logs, self.writers = [], []

    def run(self):
        self.server.query("CREATE SCHEMA store")
        self.logs.append(self.folder / "make.log")
        run(self.traffic(self.hosts[0], "make", "--seed", 100, "--count", VALUES // 4,
                         "--log", self.logs[0]))
        for host in self.hosts:
            self.logs.append(self.folder / f"{host.name}.log")
            writer = Companion(self.traffic(
                host, "outlast", "--seed", host.number, "--log", self.logs[-1]))
            self.cleaning.callback(writer.end)
            self.writers.append(writer)
        for number in range(self.given.kills):
            self.interrupt(number, self.kill)
        for number in range(self.given.cuts):
            self.interrupt(number, self.cut)
        time.sleep(1)
        for writer in self.writers:
            writer.stop()
        words = [word for log in self.logs for word in ("--log", log)]
        found = json.loads(run(self.traffic(self.hosts[0], "survived", *words)))
        run(self.nacre(self.hosts[1], "verify"))
        print(f"  {found['acknowledged']} acknowledged inserts of both hosts are all there, each once; "
              "every value opens")

    def traffic(self, host, verb, *options):
        return host.command(self.programs.traffic(
            verb, self.server.url(host), "--key-file", self.key, *options))

    def nacre(self, host, verb, *options):
        return host.command(self.programs.nacre(
            verb, self.server.url(host), "--key-file", self.key, *options))

    # One host rotates, and something ends that; the other one goes on.

    def interrupt(self, number, end):
        first, second = self.hosts[number % 2], self.hosts[1 - number % 2]
        rotation = self.begin(first)
        time.sleep(self.random.uniform(0, 2))
        held = self.rotate(second)
        if held.returncode != HELD or f"on host {first.name} since" not in held.stderr:
            raise Deviation(f"{second.name} was not refused: {held.returncode}: {held.stderr.strip()}")
        begun = time.monotonic()
        what = end(first, rotation)
        # The server keeps the turn to write of a host that is cut off, until it gives its session up.
        while (done := self.rotate(second)).returncode in (HELD, BUSY):
            if time.monotonic() - begun > LEASE_SECONDS + SILENCE:
                raise Deviation(f"{second.name} still waits for {first.name}")
            time.sleep(0.5)
        waited = time.monotonic() - begun
        if done.returncode != 0:
            raise Deviation(f"{second.name} did not finish: {done.returncode}: {done.stderr.strip()}")
        run(self.nacre(second, "verify"))
        print(f"  {what}; {second.name} had finished its rotation {waited:.0f} s later; every value opens",
              flush=True)
        if end == self.cut:
            self.reconnect(first, rotation)

    def begin(self, host):
        """Starts a rotation, and returns once it has written something."""
        rotation = subprocess.Popen(
            self.nacre(host, "rotate", "--rate", RATE, "--batch", 50, "--json"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.cleaning.callback(rotation.kill)
        while line := rotation.stdout.readline():
            event = json.loads(line)
            if event["event"] == "progress" and event["done"] > 0:
                return rotation
        raise Deviation(f"{host.name} does not rotate: {rotation.stderr.read().strip()}")

    def rotate(self, host):
        return subprocess.run(self.nacre(host, "rotate"), capture_output=True, text=True, timeout=300)

    def kill(self, host, rotation):
        rotation.send_signal(signal.SIGKILL)
        rotation.wait()
        return f"{host.name}'s rotation was killed"

    def cut(self, host, _):
        host.cut()
        return f"{host.name} lost its network"

    def reconnect(self, host, rotation):
        """The one that lost its network ends with an error in time, and its writer goes on."""
        begun = time.monotonic()
        _, complaint = rotation.communicate(timeout=SILENCE)
        if rotation.returncode == 0:
            raise Deviation(f"{host.name}'s rotation ended well without a network")
        print(f"  {host.name}'s rotation had ended with {rotation.returncode} within "
              f"{time.monotonic() - begun:.0f} s: {complaint.strip().splitlines()[-1]}", flush=True)
        host.connect()
        writer = self.writers[host.number - 1]
        wanted = writer.counts()["commits"] + 3
        deadline = time.monotonic() + SILENCE
        while writer.counts()["commits"] < wanted:
            if time.monotonic() > deadline:
                raise Deviation(f"{host.name}'s writer does not go on")
            time.sleep(0.2)


if __name__ == "__main__":
    given = server_options(__doc__, kills=2, cuts=1, seed=1)
    sys.exit(drive("hosts", lambda folder, cleaning: Hosts(given, folder, cleaning).run()))
