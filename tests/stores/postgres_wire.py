"""Between a client and a PostgreSQL server: a wire that can be cut, and a pooler that hands out sessions."""

from __future__ import annotations

import contextlib
import itertools
import queue
import socket
import struct
import threading
from urllib.parse import urlsplit

__all__ = ["Pooler", "Wire"]


class _Proxy:
    """Listens on the loopback interface and gives each client a thread."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        assert place.hostname is not None
        assert place.port is not None
        self.server = (place.hostname, place.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql://{place.username}@127.0.0.1:{self._listener.getsockname()[1]}{place.path}"
        self._sockets: list[socket.socket] = [self._listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        for found in self._sockets:
            hang_up(found)

    def connect(self) -> socket.socket:
        server = socket.create_connection(self.server)
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sockets.append(server)
        return server

    def serve(self, client: socket.socket) -> None:
        raise NotImplementedError

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._sockets.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError):
            self.serve(client)
        hang_up(client)


class Wire(_Proxy):
    """Passes everything on, until it is told to cut.

    It looks for a text and then for another in what a client sends. ``cut_before`` them: what comes before the second
    is passed on, and both ends are hung up. ``cut_after`` them: the second is passed on, and the server's answer to it
    isn't. Each happens once.
    """

    def __init__(self, url: str) -> None:
        self.cut_before: tuple[bytes, bytes] | None = None
        self.cut_after: tuple[bytes, bytes] | None = None
        self.cuts = 0
        super().__init__(url)

    def serve(self, client: socket.socket) -> None:
        server = self.connect()
        deaf = threading.Event()
        threading.Thread(target=self._back, args=(server, client, deaf), daemon=True).start()
        sent = b""
        while data := client.recv(1 << 16):
            texts = self.cut_before or self.cut_after
            sent = sent + data if texts is not None else b""
            first = sent.find(texts[0]) if texts is not None else -1
            if texts is not None and first >= 0 and texts[1] in sent[first:]:
                self.cuts += 1
                if texts is self.cut_before:
                    self.cut_before = None
                    before = len(sent) - len(data)
                    server.sendall(data[: max(sent.index(texts[1], first) - before, 0)])
                    break
                self.cut_after = None
                deaf.set()
            server.sendall(data)
        hang_up(server)

    def _back(self, server: socket.socket, client: socket.socket, deaf: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if deaf.is_set():
                    break
                client.sendall(data)
        hang_up(client)
        hang_up(server)


class Pooler(_Proxy):
    """Gives each transaction to another one of a few sessions, as poolers in transaction mode do."""

    def __init__(self, url: str, sessions: int = 3) -> None:
        self._idle: queue.SimpleQueue[_Session] = queue.SimpleQueue()
        self.sessions: list[_Session] = []
        self._user = urlsplit(url).username or ""
        self.transactions = 0
        super().__init__(url)
        for _ in range(sessions):
            session = _Session(self.connect(), self._user)
            self.sessions.append(session)
            self._idle.put(session)

    def serve(self, client: socket.socket) -> None:
        keys = itertools.count(1_000_000)
        while True:  # A client may ask for encryption first.
            length, code = struct.unpack("!II", _exactly(client, 8))
            _exactly(client, length - 8)
            if code == 196608:
                break
            client.sendall(b"N")
        hello = b"R" + struct.pack("!II", 8, 0)
        hello += b"".join(self.sessions[0].parameters)
        hello += b"K" + struct.pack("!III", 12, next(keys), 0)
        client.sendall(hello + b"Z" + struct.pack("!I", 5) + b"I")
        while True:
            kind, body = _message(client)
            if kind == b"X":
                return
            session = self._idle.get()
            self.transactions += 1
            session.send(kind, body)
            waiting = kind in b"SQ"
            while not waiting or session.answer(client) != b"I":
                kind, body = _message(client)
                if kind == b"X":  # after a lone Flush
                    break
                session.send(kind, body)
                waiting = kind in b"SQ"
            self._idle.put(session)
            if kind == b"X":
                return


class _Session:
    """A connection to the server that stays."""

    def __init__(self, server: socket.socket, user: str) -> None:
        self.server = server
        self.parameters: list[bytes] = []
        names = f"user\0{user}\0database\0postgres\0\0".encode()
        server.sendall(struct.pack("!II", 8 + len(names), 196608) + names)
        while True:
            kind, body = _message(server)
            if kind == b"S":
                self.parameters.append(_packed(kind, body))
            if kind == b"Z":
                return

    def send(self, kind: bytes, body: bytes) -> None:
        self.server.sendall(_packed(kind, body))

    def answer(self, client: socket.socket) -> bytes:
        """Pass on what the server says until it is ready; the state of its transaction."""
        while True:
            kind, body = _message(self.server)
            client.sendall(_packed(kind, body))
            if kind == b"Z":
                return body

    def ask(self, sql: str) -> list[str]:
        """The first column of what the server answers to a query."""
        self.send(b"Q", sql.encode() + b"\0")
        rows: list[str] = []
        while True:
            kind, body = _message(self.server)
            assert kind != b"E", body
            if kind == b"D":
                size = struct.unpack("!i", body[2:6])[0]
                rows.append(body[6 : 6 + size].decode())
            if kind == b"Z":
                return rows


def _message(source: socket.socket) -> tuple[bytes, bytes]:
    kind = _exactly(source, 1)
    (length,) = struct.unpack("!I", _exactly(source, 4))
    return kind, _exactly(source, length - 4)


def _packed(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def _exactly(source: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = source.recv(size - len(data))
        if not more:
            raise ConnectionResetError
        data += more
    return data


def hang_up(found: socket.socket) -> None:
    with contextlib.suppress(OSError):
        found.shutdown(socket.SHUT_RDWR)
    found.close()
