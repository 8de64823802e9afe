"""One map for every scale: serial, processes, Ray."""
