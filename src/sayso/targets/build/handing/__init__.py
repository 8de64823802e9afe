"""What `sayso build` shows of a source: the answer for a folder or an archive, tried or not, and its forms."""

from sayso.targets.build.handing.answer import Answer, as_json
from sayso.targets.build.handing.formats import FORMATS
from sayso.targets.build.handing.machine import missing_here
from sayso.targets.build.handing.session import answer_for

__all__ = ["FORMATS", "Answer", "answer_for", "as_json", "missing_here"]
