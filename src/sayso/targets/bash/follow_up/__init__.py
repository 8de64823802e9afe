"""What is said after an answer: "only the newest five", as edits of the command."""

from __future__ import annotations

from sayso.targets.bash.follow_up.follow_ups import follow, is_undo

__all__ = ["follow", "is_undo"]
