"""Names that hold what signs somebody in: the one list of this client. ``sdk/src/client/credentials.ts`` has the same rules, and the
cases in fixtures/clients hold both to them.
"""

from __future__ import annotations

import re

LEFT_OUT = "[left out]"
"""What is recorded in the place of a credential."""

_FIELD_END = re.compile(
    "(?:"
    "(?:api|access|account|encryption|functions|master|private|secret|service|shared|signing|storage|subscription)key(?:id)?"
    # Pages are turned by tokens as well, and models are told by them where a text ends.
    "|(?<!page)(?<!next)(?<!continuation)(?<!cancel)(?<!cancellation)(?<!bos)(?<!eos)(?<!pad)token"
    "|secrets?|passwords?|passwd|passphrase|credentials?|authorization|auth|authheaders?|cookies?|jwt|connectionstring|dsn"
    ")$"
)
_NO_LETTERS = re.compile(r"[^a-z]+", re.IGNORECASE)
_PASSWORD = re.compile(r"^([a-z][a-z\d+.-]*://[^\s/:@]*:)[^\s/@]+(?=@)", re.IGNORECASE)


def is_credential_field(name: str, is_in_list: bool = False) -> bool:
    """Whether a field of an object holds a credential. In a list, what is just called a token is a piece of a text."""
    letters = _NO_LETTERS.sub("", name).lower()
    return _FIELD_END.search(letters) is not None and not (is_in_list and letters == "token")


def hide_credential(value: object) -> object:
    """What is recorded of a credential's field: what can be none stays, such as ``has_token=True``."""
    return value if value is None or isinstance(value, (bool, int, float)) else LEFT_OUT


def without_password(text: str) -> str:
    """Without the password of an address, such as that of a database."""
    return _PASSWORD.sub(rf"\1{LEFT_OUT}", text)
