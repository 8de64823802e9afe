"""What the trunk reads of an API and says of a request: an operation's signature, and its values as one line.

One writing for training and for use. Values stand as the request says them, days and hours too: a small model copies
well and reckons badly, so that what "next Friday" comes to is left to the clock.
"""
