"""HTTP with the standard library: one persistent connection per thread, through the proxy of the environment."""

from __future__ import annotations

import email.utils
import functools
import http.client
import json
import ssl
import threading
import time
import urllib.parse
import urllib.request
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass

from ._errors import RequestFailed, ServiceUnreachable


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes


class _Closer:
    """Closes the connection of a thread that ends: an unclosed socket would cause a warning in the application."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self._connection = connection

    def __del__(self) -> None:
        self._connection.close()


class Transport:
    """Sends requests to one service with one key."""

    def __init__(self, url: str, api_key: str, timeout: float) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f'url must be an address such as http://localhost:4747, not "{url}".')
        self.url = url.rstrip("/")
        self._parts = parts
        self._path = parts.path.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._tls: ssl.SSLContext | None = None

    # Created at its first use, like the locks of the delivery, so that each greenlet has a connection of its own, too.
    @functools.cached_property
    def _kept(self) -> threading.local:
        kept: threading.local = self.__dict__.setdefault("_kept", threading.local())
        return kept

    def forget_connections(self) -> None:
        """After a fork, the connections belong to the parent."""
        self.__dict__.pop("_kept", None)

    def request(
        self,
        method: str,
        address: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> Response:
        """Sends a request and reads the full response, whatever its status. Raises ``ServiceUnreachable``."""
        all_headers = {"authorization": f"Bearer {self._api_key}", "user-agent": "plumbline-python", **(headers or {})}
        if body is not None:
            all_headers.setdefault("content-type", "application/json")
        kept: http.client.HTTPConnection | None = getattr(self._kept, "connection", None)
        # A connection that the service has closed fails only when it is used: retry once on a new one, if the request is idempotent.
        for connection in (kept, None) if kept is not None else (None,):
            if connection is not None and not (method == "GET" or "idempotency-key" in all_headers):
                continue
            try:
                return self._exchange(connection, method, address, body, all_headers, timeout or self._timeout)
            except (http.client.RemoteDisconnected, ConnectionError, http.client.CannotSendRequest) as error:
                self._close()
                if connection is None:
                    raise self._unreachable(error) from error
            except (OSError, http.client.HTTPException) as error:
                self._close()
                raise self._unreachable(error) from error
        raise AssertionError("unreachable")

    def _exchange(
        self,
        connection: http.client.HTTPConnection | None,
        method: str,
        address: str,
        body: bytes | None,
        headers: Mapping[str, str],
        timeout: float,
    ) -> Response:
        if connection is None:
            self._close()
            connection = self._connect(timeout)
            self._kept.connection = connection
            self._kept.closer = _Closer(connection)
        elif connection.sock is not None:
            connection.sock.settimeout(timeout)
        prefix = self.url if getattr(connection, "is_plain_proxy", False) else self._path
        connection.request(method, prefix + address, body=body, headers=dict(headers))
        response = connection.getresponse()
        content = response.read()
        return Response(response.status, {name.lower(): value for name, value in response.getheaders()}, content)

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        parts, host = self._parts, self._parts.hostname or ""
        secure = parts.scheme == "https"
        if secure and self._tls is None:
            self._tls = ssl.create_default_context()
        address = urllib.request.getproxies().get(parts.scheme)
        if not address or urllib.request.proxy_bypass(host):
            if secure:
                return http.client.HTTPSConnection(host, parts.port, timeout=timeout, context=self._tls)
            return http.client.HTTPConnection(host, parts.port, timeout=timeout)
        proxy = urllib.parse.urlsplit(address if "://" in address else f"http://{address}")
        login = f"{urllib.parse.unquote(proxy.username)}:{urllib.parse.unquote(proxy.password or '')}" if proxy.username else ""
        credentials = {"proxy-authorization": f"Basic {b64encode(login.encode()).decode()}"} if login else {}
        if secure:
            tunnel = http.client.HTTPSConnection(proxy.hostname or "", proxy.port, timeout=timeout, context=self._tls)
            tunnel.set_tunnel(host, parts.port, credentials)
            return tunnel
        plain = http.client.HTTPConnection(proxy.hostname or "", proxy.port, timeout=timeout)
        setattr(plain, "is_plain_proxy", True)
        return plain

    def _close(self) -> None:
        connection: http.client.HTTPConnection | None = getattr(self._kept, "connection", None)
        self._kept.connection = None
        if connection is not None:
            connection.close()

    def _unreachable(self, error: BaseException) -> ServiceUnreachable:
        reason = "did not respond in time" if isinstance(error, TimeoutError) else "cannot be reached"
        return ServiceUnreachable(f"{self.url} {reason}: {error}")


def to_request_failed(response: Response) -> RequestFailed:
    """Converts a response with a status of 400 or more to an error."""
    return RequestFailed(
        response.status,
        _error_message(response.body),
        retry_after_seconds=_retry_after(response.headers.get("retry-after")),
        request_id=response.headers.get("x-request-id"),
    )


def _error_message(body: bytes) -> str | None:
    """The message of an error body; ``None`` if a proxy sent something else."""
    try:
        content = json.loads(body)
    except ValueError:
        return None
    message = content.get("error") if isinstance(content, dict) else None
    return message if isinstance(message, str) else None


def _retry_after(header: str | None) -> float | None:
    """RFC 9110 allows seconds or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
