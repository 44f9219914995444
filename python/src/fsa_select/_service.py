"""The program, as a separate process that fits models.

It is started when it is first needed, shared by all fits and threads of this
process, and ends with it. A process that was forked off starts its own. Only the
pipes' numbers are kept, no file objects: a child can close them without flushing
what its parent had in mind.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._errors import ServiceError
from ._shared import drop_spare

PROTOCOL = 7

# How long a fit that was cancelled may take to stop, before the process is ended.
_PATIENCE = 0.7

# A wait that cannot be interrupted by Ctrl-C has to be short.
_TICK = 0.1 if sys.platform == "win32" else None

Answer = dict[str, Any]


def program() -> Path:
    """The path of the program: in the package, or in the variable ``FSA_SELECT_PROGRAM``."""
    given = os.environ.get("FSA_SELECT_PROGRAM")
    if given:
        return Path(given)
    name = "fsa.exe" if sys.platform == "win32" else "fsa"
    path = Path(__file__).parent / "bin" / name
    if not path.exists():
        raise ServiceError(f"the program is not at {path}: install the package (pip install ./python), or name it in FSA_SELECT_PROGRAM")
    return path


class _Words:
    """The beginning and the end of the standard error of the process."""

    KEPT = 2000

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""

    def add(self, more: bytes) -> None:
        room = self.KEPT - len(self._head)
        self._head += more[:room]
        self._tail = (self._tail + more[room:] if room > 0 else self._tail + more)[-self.KEPT :]

    def __str__(self) -> str:
        text = self._head + (b"\n...\n" if len(self._tail) >= self.KEPT else b"") + self._tail
        return text.decode("utf-8", "replace").strip()


class Service:
    """One process of the program."""

    def __init__(self) -> None:
        self._writing = threading.Lock()  # lines are written one after the other
        self._lock = threading.Lock()  # of what follows
        self._next = 1
        self._waiting: dict[int, queue.SimpleQueue[Answer]] = {}
        self._ended: str | None = None
        self._dying = False  # it was told to

        self._words = _Words()
        hello: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        self._waiting[0] = hello
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._errors, errors = os.pipe()
        new_session: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            new_session = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        try:
            self.process = subprocess.Popen(
                [str(program()), "serve", "--owner", str(os.getpid())],
                stdin=requests,
                stdout=answers,
                stderr=errors,
                **new_session,
            )
        except BaseException as error:
            for fd in (self._requests, self._answers, self._errors):
                os.close(fd)
            if isinstance(error, OSError):
                raise ServiceError(f"the program {program()} cannot be started: {error}") from error
            raise
        finally:
            for fd in (requests, answers, errors):
                os.close(fd)
        self._hearer = threading.Thread(target=self._overhear, daemon=True, name="fsa-select")
        self._listener = threading.Thread(target=self._listen, daemon=True, name="fsa-select")
        self._hearer.start()  # first, as the other one may end at once, and waits for it
        self._listener.start()
        first = hello.get()
        with self._lock:
            del self._waiting[0]
        if first.get("protocol") != PROTOCOL:
            self.close()
            if self._ended and "hello" not in first:
                raise ServiceError(self._ended)
            raise ServiceError(f"the program {program()} speaks protocol {first.get('protocol')}, this package {PROTOCOL}: install both from one version")

    @property
    def alive(self) -> bool:
        return self._ended is None and not self._dying

    def _listen(self) -> None:
        """Pass answers on until the last one."""
        rest: list[bytes] = []
        while True:
            try:
                more = os.read(self._answers, 1 << 20)
            except OSError:
                more = b""
            if not more:
                break
            *lines, last = more.split(b"\n")
            for line in lines:
                self._deliver(b"".join([*rest, line]))
                rest = []
            rest.append(last)
        self._end()

    def _deliver(self, line: bytes) -> None:
        answer: Answer = json.loads(line)
        with self._lock:
            to = self._waiting.get(answer.get("id", 0))
        if to is not None:
            to.put(answer)

    def _overhear(self) -> None:
        while True:
            try:
                more = os.read(self._errors, 1 << 16)
            except OSError:
                more = b""
            if not more:
                return
            self._words.add(more)

    def _end(self) -> None:
        """Tell all waiting threads that the process has ended, with its last output."""
        code = self.process.wait()
        self._hearer.join(_PATIENCE)
        how = f"ended with code {code}"
        if code < 0:
            try:
                how = f"was ended by {signal.Signals(-code).name}"
            except ValueError:
                how = f"was ended by signal {-code}"
            if -code == getattr(signal, "SIGKILL", 9):
                how += " (perhaps there was too little memory)"
        words = str(self._words)
        with self._writing, self._lock:
            self._ended = f"the service process {how}" + (f"; its last words: {words}" if words else "")
            waiting = list(self._waiting.values())
            fds = (self._requests, self._answers, self._errors)
            self._requests = self._answers = self._errors = -1
        for fd in fds:
            if fd >= 0:
                os.close(fd)
        for to in waiting:
            to.put({"event": "ended"})

    def _send(self, message: Answer) -> None:
        line = memoryview(json.dumps(message, allow_nan=False).encode() + b"\n")
        sent = 0
        with self._writing:
            if self._ended is not None:
                raise ServiceError(self._ended)
            try:
                while sent < len(line):
                    sent += os.write(self._requests, line[sent:])
            except OSError:
                pass  # it has ended, as whoever waits will hear
            except BaseException:  # Ctrl-C: half a line cannot be taken back
                if sent > 0:
                    self._kill()
                raise

    def request(self, message: Answer, on_event: Callable[[Answer], None] | None = None) -> Answer:
        """Send a request and wait for its last answer.

        ``on_event`` is given those before. Whatever ends the wait otherwise, Ctrl-C or an
        exception of ``on_event``, stops the work, too.
        """
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        with self._lock:
            number = self._next
            self._next += 1
            self._waiting[number] = answers
        try:
            self._send({"id": number, **message})
            while True:
                answer = self._wait(answers)
                if answer["event"] in ("done", "error"):
                    return answer
                if on_event is not None:
                    on_event(answer)
        except BaseException as error:
            if not isinstance(error, ServiceError):
                self._cancel(number, answers)
            raise
        finally:
            with self._lock:
                del self._waiting[number]

    def _wait(self, answers: queue.SimpleQueue[Answer], timeout: float | None = None) -> Answer:
        while True:
            try:
                answer = answers.get(timeout=timeout or _TICK)
            except queue.Empty:
                if timeout is not None:
                    raise
                continue
            if answer["event"] == "ended":
                assert self._ended is not None
                raise ServiceError(self._ended)
            return answer

    def _cancel(self, number: int, answers: queue.SimpleQueue[Answer]) -> None:
        """Stop a fit. If it does not react and no other thread needs the process, end the process."""
        try:
            self._send({"id": number, "op": "cancel"})
            while self._wait(answers, _PATIENCE)["event"] not in ("done", "error"):
                pass
        except ServiceError:
            pass
        except queue.Empty:
            with self._lock:
                alone = len(self._waiting) <= 1
            if alone:
                self._kill()

    def _kill(self) -> None:
        self._dying = True
        self.process.kill()

    def close(self) -> None:
        """End the process: it ends with its input."""
        with self._writing:
            fd, self._requests = self._requests, -1
        if fd >= 0:
            os.close(fd)
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._listener.join(_PATIENCE)

    def forget(self) -> None:
        """Release a process that belongs to the parent of this one."""
        for fd in (self._requests, self._answers, self._errors):
            if fd >= 0:
                os.close(fd)
        self._requests = self._answers = self._errors = -1
        self.process.returncode = 0  # it is not ours to wait for


_lock = threading.Lock()
_service: Service | None = None


def service() -> Service:
    """The service process, started if there is none."""
    global _service
    with _lock:
        if _service is None or not _service.alive:
            _service = Service()
        return _service


def stop() -> None:
    """End the service process. The next fit starts another one."""
    global _service
    with _lock:
        old, _service = _service, None
    if old is not None:
        old.close()
    drop_spare()


def _forked() -> None:
    global _lock, _service
    _lock = threading.Lock()
    old, _service = _service, None
    if old is not None:
        old.forget()


atexit.register(stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
