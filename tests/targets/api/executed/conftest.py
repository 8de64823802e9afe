"""The benchmarks are a folder of the checkout, not a part of the package: tests import them from there."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4]))
