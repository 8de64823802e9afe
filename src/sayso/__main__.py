"""`python -m sayso`: the same as `sayso`, where the script is not on the path."""

from sayso.apps.cli.main import run

if __name__ == "__main__":
    run()
