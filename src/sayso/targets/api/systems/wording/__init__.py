"""Requests in people's own wording, read whole: one network for mail, calendar and files, and all operators."""
