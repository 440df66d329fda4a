"""Where a PostgreSQL database is and how to get in: read from a URL, told without the password."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict

from ludolog.errors import BadOptions, LudologError, NotAStore, StoreFailed

from ._postgres_url import OWN, SCHEMES, parted

__all__ = ["Address", "Connection"]

Connection = psycopg.Connection[tuple[Any, ...]]

_SCHEMES: Final = tuple(f"{scheme}://" for scheme in SCHEMES)
_SECRETS: Final = ("password", "sslpassword", "oauth_client_secret")
# A server that vanished without a word must not hold a client for the hours that TCP allows by itself.
_DEFAULTS: Final = {
    "client_encoding": "UTF8",
    "connect_timeout": "10",
    "fallback_application_name": "ludolog",
    "keepalives_count": "3",
    "keepalives_idle": "30",
    "keepalives_interval": "5",
    "tcp_user_timeout": "30000",
}
_MALFORMED: Final = (
    "The URL of the PostgreSQL store is malformed. It reads "
    "postgresql://user:password@host:port/database?option=value. "
    "In names and passwords, all signs but letters, digits, - . _ ~ are written like %40 for @ and %2F for /."
)


class Address:
    """A database; prints itself without the password.

    Args:
        url: ``postgresql://user:password@host:port/database?option=value``, every part of it optional, as libpq
            reads it. What is left out comes from the environment (``PGHOST``, ``PGPASSWORD``, ``~/.pgpass``, ...).

    Raises:
        NotAStore: the URL is malformed.
        BadOptions: neither libpq nor the store has an option of a name in it.
    """

    def __init__(self, url: str) -> None:
        parameters = _parsed(url)
        if parameters is None:
            raise _misspelt(url) or NotAStore(_MALFORMED)
        self._secrets = [str(parameters[name]) for name in _SECRETS if parameters.get(name)]
        self._parameters: dict[str, Any] = _DEFAULTS | parameters
        self.where = _without_secrets(parameters)

    def __repr__(self) -> str:
        return self.where

    def connect(self) -> Connection:
        """A new connection in autocommit mode that leaves nothing behind in the server: no prepared statement, no SET.

        Raises:
            NotAStore: there is no such database.
            StoreFailed: the server can't be reached, or doesn't let this user in.
        """
        failure: LudologError
        try:
            return psycopg.connect(**self._parameters, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            failure = self._refused(str(error))
        # Outside of the handler: nothing of what libpq said travels along in the chain of exceptions.
        raise failure

    def _refused(self, text: str) -> LudologError:
        """What libpq says when there is no connection, in one line and without the password."""
        lines = [line.strip() for line in text.removeprefix("connection failed: ").splitlines() if line.strip()]
        said = (lines[0] if lines else "no reason was given").rstrip(".")
        for secret in self._secrets:
            said = said.replace(secret, "***")
        kind = NotAStore if said.endswith("does not exist") and 'database "' in said else StoreFailed
        return kind(f"{self.where} can't be opened: {said}.")


def _parsed(url: str) -> dict[str, Any] | None:
    """Parameters for libpq; None if the URL has an error, whose message would repeat parts of it."""
    if not url.startswith(_SCHEMES) or "\0" in url:
        return None
    try:
        url.encode()
        parameters = conninfo_to_dict(url)
    except (psycopg.Error, UnicodeEncodeError):
        return None
    # "@" in an unescaped password: the rest of it would be taken for the name of the host, and told as such.
    ports = str(parameters.get("port") or "").split(",")
    if "@" in str(parameters.get("host") or "") or not all(port.isdecimal() or not port for port in ports):
        return None
    return parameters


def _misspelt(url: str) -> BadOptions | None:
    """What to say of an option that nobody has, if that is what is wrong with the URL.

    Names are told only where they can't be the rest of a password with signs of the URL in it.
    """
    query = parted(url)[1]
    if not url.startswith(_SCHEMES) or "@" in unquote(query) or not re.fullmatch("(?:[a-z_]+=[^&]*(?:&|$))+", query):
        return None
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()} | {"ssl", *OWN}
    unknown = sorted({name for name, _ in parse_qsl(query, keep_blank_values=True)} - known)
    if not unknown:
        return None
    own = f"{', '.join(OWN[:-1])} and {OWN[-1]}"
    return BadOptions(f"A PostgreSQL store has no option {unknown[0]!r}; it has {own}, and those of libpq.")


def _without_secrets(parameters: dict[str, Any]) -> str:
    user = parameters.get("user")
    port = parameters.get("port")
    place = f"{user}@" if user else ""
    place += str(parameters.get("host") or parameters.get("hostaddr") or "")
    place += f":{port}" if port else ""
    return f"postgresql://{place}/{parameters.get('dbname') or ''}"
