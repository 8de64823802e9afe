"""What every settings dataclass refuses: each message names the network, the field and what was expected."""

from __future__ import annotations

from collections.abc import Collection

from sayso.core.errors import UserError


def require(is_fine: bool, message: str, hint: str = "") -> None:
    """Raise UserError unless the settings make sense."""
    if not is_fine:
        raise UserError(message, hint or "correct that field of the settings")


def require_sizes(settings: object, *fields: str) -> None:
    """Every named field is a whole number of at least 1."""
    for field in fields:
        value = getattr(settings, field)
        is_size = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        require(is_size, f"{type(settings).__name__}.{field} is {value!r}, not a whole number of at least 1")


def require_share(settings: object, *fields: str) -> None:
    """Every named field is a share: at least 0 and below 1."""
    for field in fields:
        value = getattr(settings, field)
        is_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1
        require(is_share, f"{type(settings).__name__}.{field} is {value!r}, not a number from 0 up to but not 1")


def require_choice(settings: object, field: str, choices: Collection[str]) -> None:
    """The named field is one of the choices."""
    value = getattr(settings, field)
    require(value in choices, f"{type(settings).__name__}.{field} is {value!r}, not one of {', '.join(choices)}")


def require_vocabularies(settings: object) -> None:
    """Both vocabularies hold the four specials and at least one word."""
    for field in ("source_size", "output_size"):
        value = getattr(settings, field)
        is_vocabulary = isinstance(value, int) and not isinstance(value, bool) and value > 4
        require(
            is_vocabulary,
            f"{type(settings).__name__}.{field} is {value!r}, not a vocabulary size (four specials and the words)",
            "give the length of the vocabulary that encoded the data",
        )
