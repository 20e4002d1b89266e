"""Try all commands with damaged input for hours: python -m tests.fuzz.hours --seconds 7200.

One process runs the tries and another watches it. A try that uses up its processor time, or sleeps
for too long, counts as a hang: its stack is logged, and a new process continues after it. The same
happens if the process dies. --only selects commands, --first starts from a given try.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from time import monotonic, sleep
from traceback import format_exc

from tests.fuzz import commands

_ROUND = 400  # tries per process, so that leftovers of tries do not add up
_PAUSE = 0.5  # seconds between two checks
_SLEEP = 10  # times the processor time that a try may use


def work(given: Namespace) -> None:
    """Run tries, and report the number of each at its start and the outcome at its end."""
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    for number in range(given.first, given.first + _ROUND):
        one = commands.drawn(given.seed, number, given.only)
        print(json.dumps([number, " ".join(one.words[:2])]), flush=True)
        try:
            commands.check(one)
        except Exception:
            error = format_exc()
            print(json.dumps([number, None, f"{one}\n{error}"]), flush=True)


def used(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(given: Namespace, log: Path) -> int:
    """Start one process after another until time runs out; return the number of failures."""
    end, number, wrong = monotonic() + given.seconds, given.first, 0
    kinds: Counter[str] = Counter()
    begun = 0
    with log.open("a", encoding="utf-8") as told:

        def note(text: str) -> None:
            print(text, file=told, flush=True)

        note(f"seed {given.seed}, from try {number}, {given.seconds:.0f} s, only {given.only!r}")
        while monotonic() < end:
            words = [sys.executable, "-m", "tests.fuzz.hours", "--work", "--seed", str(given.seed)]
            words += ["--first", str(number), "--only", given.only]
            errors = log.with_suffix(".stacks")
            with (
                errors.open("w+", encoding="utf-8") as stacks,
                subprocess.Popen(words, stdout=subprocess.PIPE, stderr=stacks) as process,
            ):
                assert process.stdout is not None
                os.set_blocking(process.stdout.fileno(), False)
                left, name, since, before, hung = b"", "", monotonic(), 0.0, False
                while True:
                    over = process.poll() is not None
                    left += process.stdout.read() or b""
                    *lines, left = left.split(b"\n")
                    for line in lines:
                        found = json.loads(line)
                        if found[1] is None:
                            wrong += 1
                            note(f"== try {found[0]} went wrong: {found[2]}")
                            continue
                        if name and monotonic() - since > given.most / 4:
                            note(f"try {number} took {monotonic() - since:.0f} s: {name}")
                        number, name = found
                        begun += 1
                        kinds[name] += 1
                        since, before = monotonic(), 0.0 if over else used(process.pid)
                    if over:
                        break
                    if monotonic() > end:
                        process.kill()
                        break
                    spent = used(process.pid) - before
                    if spent > given.most or monotonic() - since > _SLEEP * given.most:
                        process.send_signal(signal.SIGUSR1)
                        sleep(2)
                        process.kill()
                        hung = True
                        break
                    sleep(_PAUSE)
                process.wait()
                stacks.seek(0)
                if hung or (process.returncode and monotonic() < end):
                    wrong += 1
                    how = "hangs" if hung else f"ends the process ({process.returncode})"
                    note(f"== try {number} {how}: {name}\n{stacks.read()[-4000:]}")
            number += 1
        counts = ", ".join(f"{count} {name}" for name, count in sorted(kinds.items()))
        note(f"{begun} tries, {wrong} wrong, up to {number}: {counts}")
        print(f"{begun} tries, {wrong} wrong; {log}")
    return wrong


def main() -> None:
    """Read the command line; run the tries or watch."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600, help="how long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with this try")
    parser.add_argument("--only", default="", help="commands that begin with this")
    parser.add_argument("--most", type=float, default=120, help="seconds that a try may use")
    parser.add_argument("--log", type=Path, default=Path("fuzz.log"))
    parser.add_argument("--work", action="store_true", help="be the process that is watched")
    given = parser.parse_args()
    if given.work:
        work(given)
    else:
        sys.exit(1 if watch(given, given.log) else 0)


if __name__ == "__main__":
    main()
