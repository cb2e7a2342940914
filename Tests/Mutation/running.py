"""Runs `swift` or the tests with one mutant awake, and reads from the output which tests failed."""

import os
import pathlib
import re
import signal
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT = "a timeout"
CRASH = "a crash"
FAILED_TEST = re.compile(r'Test (?:"(.+?)"|(\w+)\(\)).* (?:failed after|recorded an issue)')


def kill_session(session):
    """Ends every process of a session; `swift test` gives the tests a group of their own."""
    for text in subprocess.run(["ps", "-axo", "pid="], capture_output=True, text=True).stdout.split():
        try:
            if os.getsid(int(text)) == session:
                os.kill(int(text), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def swift(folder, arguments, number=0, patience=None):
    """The output and status of `swift`; the status is None when it took too long."""
    return run(folder, ["swift", *arguments], number, patience)


def run(folder, command, number=0, patience=None, until_failure=False, told=None):
    """The output and status of a command; the status is None when it took too long.

    With `until_failure` it is ended at the first test that fails, and the status is 1. With `told`, the numbers of all
    mutants that are met are written to the file of that name.
    """
    # A backtrace of a crash takes longer than all tests.
    environment = {**os.environ, "NACRE_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no"}
    if told:
        environment["NACRE_MUTANTS_MET"] = str(told)
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    expired = threading.Event()

    def expire():
        expired.set()
        kill_session(process.pid)

    timer = threading.Timer(patience, expire) if patience else None
    if timer:
        timer.start()
    lines, stopped = [], False
    try:
        for line in process.stdout:
            lines.append(line)
            if until_failure and not stopped and FAILED_TEST.search(line):
                stopped = True
                kill_session(process.pid)
        status = process.wait()
    finally:
        if timer:
            timer.cancel()
    return "".join(lines), 1 if stopped else None if expired.is_set() else status


def failures(output, status):
    """What a run of the tests says that failed; nothing when they pass."""
    if status == 0:
        return []
    found = list(dict.fromkeys(quoted or plain for quoted, plain in FAILED_TEST.findall(output)))
    return found or [TIMEOUT if status is None else CRASH]
