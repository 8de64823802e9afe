"""Commands of a document that are never planned: outside the tree, from the network, as root, or destroying things."""

from __future__ import annotations

import re

PIPED = re.compile(
    r"\|\s*(?:sudo\s+)?(?:ba|z|da|k|c)?sh\b|\|\s*(?:python3?|perl|ruby|node)\b|\b(?:ba|z)?sh\s+<\(|\beval\b|\bbase64\s+-?-?d"
)
NETWORK = re.compile(
    r"\b(?:curl|wget|ftp|ssh|scp|rsync|nc|ncat|telnet|aria2c)\b|\bgit\s+(?:clone|pull|fetch|push|submodule|remote)\b|\b(?:svn|hg|cvs)\s+(?:co|checkout|clone|pull)\b"
    r"|\b(?:apt|apt-get|yum|dnf|zypper|pacman|apk|brew|port|pkg|emerge|snap|flatpak)\s+(?:-\w+\s+)*(?:install|add|-S\w*|update|upgrade)\b"
    r"|\b(?:npm|yarn|pnpm)\s+(?:install|i|add|ci|publish)\b(?!.*--offline)|\bpip3?\s+install\b(?!.*--no-index)(?!(?:\s+-{1,2}[\w-]+)*\s+\.(?:[/\[\s]|$))|\bcpanm?\s+\S|\bgo\s+get\b|\bgem\s+install\b(?!.*--local)"
    r"|\bcargo\s+(?:install\b(?!\s+--path[ =]\.(?:/[\w/-]*)?(?:\s|$)(?!.*--git))|publish\b|add\b)(?!.*--offline)|\bdocker\s+(?:run|pull|push)\b|https?://"
)
DESTROYS = re.compile(
    r"\brm\s+(?:-\w+\s+)*(?:--\S+\s+)*(?:[\"']?(?:~|/|\$\{?HOME|\.\.|\*)|-\w*r\w*\s+[\"']?(?:~|/|\$|\.\.))|\bmkfs|\bdd\s+.*\bof=|>\s*/dev/(?!null)|:\(\)\s*\{"
    r"|\bshred\b|\bfind\s+[~/].*-delete|\bchmod\s+(?:-\w+\s+)*[0-7]*\s+/|\bmv\s+(?:~|/)\S*\s"
)
ROOT = re.compile(r"^\s*(?:sudo|doas|su|pkexec)\b")
OUTSIDE = re.compile(
    r"(?:>>?|\btee\s+(?:-a\s+)?)\s*[\"']?(?:~|/(?!dev/null|tmp/|usr/local/)|\$\{?HOME|\.\./)|\bcd\s+[\"']?(?:~|/|\$\{?HOME|\.\./\.\.)"
    r"|\b(?:cp|mv|install|ln)\b.*\s[\"']?(?:~|/(?:etc|root|home|boot|usr/(?!local)|var|bin|sbin|lib|opt)\b)|\bcrontab\b|\bsystemctl\b|\bat\s+now\b|\.ssh\b|\.bashrc\b|\.profile\b"
)
RULES = (
    ("destroys files outside the tree", DESTROYS),
    ("hands text to a shell unseen", PIPED),
    ("fetches from the network", NETWORK),
    ("reaches outside the tree", OUTSIDE),
)


def refusal(command: str, fetch: bool = False) -> str:
    """Why a command is not planned, "" where it may be. `fetch` lets the network pass, and nothing else."""
    for reason, pattern in RULES:
        if pattern.search(command) and not (fetch and pattern is NETWORK):
            return reason
    return ""


def wants_root(command: str) -> bool:
    """Whether it is told to be run as root, which a build below a prefix of one's own does not need."""
    return bool(ROOT.match(command))
