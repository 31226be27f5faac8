"""Writes the price list inside the PyPI package genai-prices as JSON, in the form of its own data.json.

Usage: pip install genai-prices && python export_genai_prices.py > genai-prices.json
"""

import dataclasses
import datetime
import importlib.metadata
import json
import re
import sys
from decimal import Decimal

from genai_prices import data, types

KINDS = {types.StartDateConstraint: 'start_date', types.TimeOfDateConstraint: 'time_of_date'}


def plain(value):
    if isinstance(value, types.ModelPrice):
        return {key: plain(price) for key, price in vars(value).items() if not key.startswith('_') and price is not None}
    if dataclasses.is_dataclass(value):
        fields = {field.name.rstrip('_'): plain(getattr(value, field.name)) for field in dataclasses.fields(value) if field.name != 'extractors'}
        fields = {name: content for name, content in fields.items() if content is not None}
        return {'type': KINDS[type(value)], **fields} if type(value) in KINDS else fields
    if isinstance(value, types.ArrayMatch):
        return None
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, re.Pattern):
        return value.pattern
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: plain(content) for key, content in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(content) for content in value]
    return value


json.dump({'version': importlib.metadata.version('genai-prices'), 'providers': plain(data.providers)}, sys.stdout)
