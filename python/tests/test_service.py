"""The service process: it is shared, ends with its owner, and dies without harm."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from conftest import make_numbers
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning

import fsa_select._service as service_module
import fsa_select._shared as shared_module
from fsa_select import FSARegressor, ServiceError, stop_service
from fsa_select._service import service

posix = pytest.mark.skipif(os.name != "posix", reason="signals and fork are those of POSIX")

X, y = make_numbers()
LONG = {"k": 3, "max_iter": 10_000_000, "quick": True}


def fitted(seed: int = 0) -> str:
    return str(FSARegressor(k=3).fit(X, y).model_.text)


def descriptors() -> int:
    return psutil.Process().num_fds()


def own_files() -> list[str]:
    folders = {Path("/dev/shm"), Path(shared_module.tempfile.gettempdir())}
    return [str(f) for folder in folders if folder.is_dir() for f in folder.glob("fsa-select-*")]


def started(script: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python process of its own that runs a script."""
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(script), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parent)


SERVICE_PID = """
    import numpy as np, sys, time, os, signal
    from conftest import make_numbers
    from fsa_select import FSARegressor
    from fsa_select._service import service
    X, y = make_numbers()
    FSARegressor(k=3).fit(X, y)
    print(service().process.pid, flush=True)
"""


def ended(pid: int) -> bool:
    try:
        psutil.Process(pid).wait(20)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return False
    return True


def test_it_is_started_once(fresh_service: Any) -> None:
    fitted()
    first = service()
    fitted()
    assert service() is first
    stop_service()
    fitted()
    assert service() is not first


def test_threads_share_it(fresh_service: Any) -> None:
    wanted = fitted()
    first = service()
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(fitted())) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [wanted] * 8
    assert service() is first


def test_joblib() -> None:
    wanted = fitted()
    for backend in ("loky", "threading"):
        assert Parallel(n_jobs=2, backend=backend)(delayed(fitted)(i) for i in range(4)) == [wanted] * 4


@posix
def test_fork() -> None:
    wanted, first = fitted(), service()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(fitted, range(4)) == [wanted] * 4
    assert service() is first  # that of the parent is still there
    assert fitted() == wanted


@posix
def test_fork_while_others_fit() -> None:
    wanted = fitted()
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            fitted()

    threads = [threading.Thread(target=busy) for _ in range(2)]
    for t in threads:
        t.start()
    try:
        for _ in range(3):
            child = os.fork()
            if child == 0:
                os._exit(0 if fitted() == wanted else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for t in threads:
            t.join()


@posix
def test_it_ends_with_its_owner() -> None:
    process = started(SERVICE_PID)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert ended(int(out))


@posix
def test_it_ends_with_an_owner_that_was_killed() -> None:
    # A child of the owner, which holds on to everything, outlives it.
    process = started(SERVICE_PID + "    child = os.fork()\n    if child == 0:\n        signal.pause()\n    print(child, flush=True)\n    os.kill(os.getpid(), signal.SIGKILL)\n")
    assert process.stdout is not None
    pid, child = int(process.stdout.readline()), int(process.stdout.readline())
    process.wait()
    process.stdout.close()
    assert process.stderr is not None
    process.stderr.close()
    assert ended(pid)
    assert own_files() == []
    os.kill(child, signal.SIGKILL)


@posix
def test_its_death_is_an_exception(fresh_service: Any) -> None:
    FSARegressor(k=3).fit(X, y)
    first = service()
    for number, says in ((signal.SIGKILL, "SIGKILL"), (signal.SIGQUIT, "SIGQUIT|goroutine")):
        running = service()

        def kill(_: Any, running: Any = running, number: int = number) -> None:
            with contextlib.suppress(ProcessLookupError):  # epochs that it told of before still come
                os.kill(running.process.pid, number)

        with pytest.raises(ServiceError, match=says):
            FSARegressor(**LONG, callbacks=kill).fit(X, y)
        assert not running.alive
        FSARegressor(k=3).fit(X, y)  # by another one
    assert service() is not first


@posix
def test_a_mapped_file_that_becomes_shorter(tmp_path: Path, fresh_service: Any) -> None:
    X, y = make_numbers(rows=30000)
    np.save(tmp_path / "X.npy", X.astype(np.float32))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")  # not to be touched afterwards
    running = service()

    def cut(epoch: Any) -> None:
        if epoch.epoch == 1:
            os.truncate(tmp_path / "X.npy", 4096)

    with pytest.raises(ValueError, match=r"X\.npy: the file became shorter"):
        FSARegressor(k=3, callbacks=cut, max_iter=100_000, quick=True).fit(mapped, y)
    assert FSARegressor(k=3).fit(X, y).score(X, y) > 0.9
    assert service() is running


def test_last_words(monkeypatch: Any, tmp_path: Path, fresh_service: Any) -> None:
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho 'this machine is haunted' >&2\nexit 7\n")
    program.chmod(0o755)
    monkeypatch.setenv("FSA_SELECT_PROGRAM", str(program))
    with pytest.raises(ServiceError, match="code 7.*haunted"):
        fitted()
    monkeypatch.setenv("FSA_SELECT_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(ServiceError, match="cannot be started"):
        fitted()
    program.write_text('#!/bin/sh\necho \'{"hello":"fsa","protocol":99}\'\ncat > /dev/null\n')
    monkeypatch.setenv("FSA_SELECT_PROGRAM", str(program))
    with pytest.raises(ServiceError, match="protocol 99"):
        fitted()


@posix
def test_interrupt(fresh_service: Any) -> None:
    """Ctrl-C stops the fit, and the same service does the next one."""
    wanted, running = fitted(), service()

    def interrupt(epoch: Any) -> None:
        if epoch.epoch == 10:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        FSARegressor(**LONG, callbacks=interrupt).fit(X, y)
    assert fitted() == wanted
    assert service() is running


@posix
def test_interrupt_of_a_silent_fit(fresh_service: Any) -> None:
    """As above, while the fit waits and nothing is told; and the terminal's whole group gets it."""
    script = SERVICE_PID + """
    import threading
    from fsa_select import FSAClassifier
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    before = time.monotonic()
    try:
        FSARegressor(k=3, max_iter=10_000_000, quick=True).fit(X, y)
    except KeyboardInterrupt:
        print("interrupted", service().process.poll(), flush=True)
    print(sorted(FSARegressor(k=3).fit(X, y).selected_.tolist()), flush=True)
    """
    process = started(script)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert out.splitlines()[1:] == ["interrupted None", "[1, 4, 7]"]


def test_a_fit_that_does_not_listen_is_ended(monkeypatch: Any, fresh_service: Any) -> None:
    fitted()
    running = service()
    monkeypatch.setattr(service_module, "_PATIENCE", 0.0001)
    original = running._send

    def deaf(message: Any) -> None:
        if message.get("op") != "cancel":
            original(message)

    monkeypatch.setattr(running, "_send", deaf)

    def stop(_: Any) -> None:
        raise StopIteration

    with pytest.raises(StopIteration):
        FSARegressor(**LONG, callbacks=stop).fit(X, y)
    running.process.wait()
    monkeypatch.undo()
    assert FSARegressor(k=3).fit(X, y).score(X, y) > 0.9


def test_files_with_names(monkeypatch: Any, fresh_service: Any) -> None:
    """Where the system has no memory without a name, or the service cannot open it."""
    wanted = fitted()
    monkeypatch.setattr(shared_module, "_nameless", False)
    assert fitted() == wanted
    assert own_files() == []
    if sys.platform == "linux":
        monkeypatch.setattr(shared_module, "_nameless", True)
        real = shared_module.Shared.__init__

        def hidden(self: Any) -> None:
            real(self)
            if self.nameless:
                self.path = "/proc/self/fd/999"

        monkeypatch.setattr(shared_module.Shared, "__init__", hidden)
        shared_module.drop_spare()
        assert fitted() == wanted
        assert not shared_module._nameless
        assert own_files() == []


@pytest.mark.skipif(not shared_module._nameless, reason="files have names here")
def test_memory_is_used_again(fresh_service: Any) -> None:
    """The next request has the memory of the last one, unless that failed or was large."""
    fitted()
    kept = shared_module._spare
    assert kept is not None
    wanted = fitted()
    assert shared_module._spare is kept
    with pytest.raises(ZeroDivisionError):
        FSARegressor(k=2, callbacks=_fail).fit(X, y)
    assert shared_module._spare is None
    assert fitted() == wanted
    with shared_module.Shared.again() as large:
        large._end = shared_module._KEPT + 1
        large.let_go()
    assert shared_module._spare is None
    fitted()
    stop_service()
    assert shared_module._spare is None


def many(fits: int) -> None:
    small = X[:50].astype(np.float32)
    for i in range(fits):
        try:
            FSARegressor(k=2, max_iter=5, quick=True, callbacks=_fail if i % 10 == 0 else None).fit(small, y[:50])
        except ZeroDivisionError:
            pass


def _fail(_: Any) -> None:
    raise ZeroDivisionError


@posix
def test_nothing_is_left_behind(fresh_service: Any) -> None:
    """A thousand fits, every tenth of which fails, and eight threads of them."""
    many(100)  # until everything that stays is there
    gc.collect()
    running, here = psutil.Process(service().process.pid), psutil.Process()
    files, shared = (descriptors(), running.num_fds()), len(own_files())
    memory = here.memory_info().rss, running.memory_info().rss
    many(1000)
    threads = [threading.Thread(target=many, args=(25,)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    gc.collect()
    assert (descriptors(), running.num_fds()) == files
    assert len(own_files()) == shared
    assert here.memory_info().rss - memory[0] < 30 << 20
    assert running.memory_info().rss - memory[1] < 100 << 20
    assert not [m for m in running.memory_maps() if "memfd" in m.path]


@posix
def test_nothing_is_left_behind_by_large_tables(fresh_service: Any) -> None:
    """What the service takes for a table of 80 MB it gives back."""
    rng = np.random.default_rng(0)
    large = rng.normal(size=(20000, 1000)).astype(np.float32)
    target = large[:, 3] - large[:, 5]
    fitted()
    running = psutil.Process(service().process.pid)
    for _ in range(4):
        FSARegressor(k=2, max_iter=10).fit(large, target)
    fitted()
    assert running.memory_info().rss < 250 << 20


def test_a_limit_of_time() -> None:
    X, y = make_numbers(3000, 300)
    for limit in 2.0 ** np.arange(-2, 8):  # a busy machine may do nothing in a quarter of a second
        with contextlib.suppress(TimeoutError), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = FSARegressor(k=2, quick=True, max_iter=10_000_000, tol=0, max_time=limit).fit(X, y)
            break
    assert model.model_.training["status"] == "out of time"
    assert [w.category for w in said if "max_time = " in str(w.message)] == [ConvergenceWarning]
    assert len(model.selected_) == 2
    with pytest.raises(TimeoutError, match="max_time: the time is up"):
        FSARegressor(max_time=1e-9).fit(X, y)


def test_devices() -> None:
    X, y = make_numbers()
    assert FSARegressor(k=2, quick=True, device="auto").fit(X, y).model_ == FSARegressor(k=2, quick=True).fit(X, y).model_
    with pytest.raises(ValueError, match="device = 'tpu': it must be 'auto', 'cpu' or 'cuda'"):
        FSARegressor(device="tpu").fit(X, y)
    try:
        assert FSARegressor(k=2, quick=True, device="cuda").fit(X, y).selected_.tolist() == [1, 4]
    except ServiceError as error:
        assert "device cuda" in str(error)  # there is none
