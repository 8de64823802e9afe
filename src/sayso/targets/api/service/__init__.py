"""An OData v4 service of our own over SQLite: read-only, on loopback or without a socket, over rows it is given."""
