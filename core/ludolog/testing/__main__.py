"""``python -m ludolog.testing campaign GAME``: thousands of random games under the cheap checks."""

from __future__ import annotations

import sys

from ludolog.testing.command import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
