"""The names of fields that hold credentials. ``sdk/src/client/credentials.ts`` has the same rules, and the cases in
fixtures/clients test both.
"""

from __future__ import annotations

import re

LEFT_OUT = "[left out]"
"""Recorded in place of a credential."""

_FIELD_END = re.compile(
    "(?:"
    "(?:api|access|account|encryption|functions|master|private|secret|service|shared|signing|storage|subscription)key(?:id)?"
    # Tokens are not only credentials: some turn pages, cancel work, or mark the end of a text.
    "|(?<!page)(?<!next)(?<!continuation)(?<!cancel)(?<!cancellation)(?<!bos)(?<!eos)(?<!pad)token"
    "|secrets?|passwords?|passwd|passphrase|credentials?|authorization|auth|authheaders?|cookies?|jwt|connectionstring|dsn"
    ")$"
)
_NO_LETTERS = re.compile(r"[^a-z]+", re.IGNORECASE)
_PASSWORD = re.compile(r"^([a-z][a-z\d+.-]*://[^\s/:@]*:)[^\s/@]+(?=@)", re.IGNORECASE)


def is_credential_field(name: str, is_in_list: bool = False) -> bool:
    """Whether a field of an object holds a credential. In a list, a field named ``token`` is a piece of text."""
    letters = _NO_LETTERS.sub("", name).lower()
    return _FIELD_END.search(letters) is not None and not (is_in_list and letters == "token")


def hide_credential(value: object) -> object:
    """The value to record for a credential field; a value that cannot be a credential stays, such as ``has_token=True``."""
    return value if value is None or isinstance(value, (bool, int, float)) else LEFT_OUT


def without_password(text: str) -> str:
    """The text without the password, if it is an address such as that of a database."""
    return _PASSWORD.sub(rf"\1{LEFT_OUT}", text)
