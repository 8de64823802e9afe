"""An OData v4 service of our own over SQLite: read-only, on loopback or without any socket, rows given by who opens it."""
