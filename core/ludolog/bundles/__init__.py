"""Bundles: a game in one file that anybody can check, whether they have the game's plugin or not.

A bundle of a **log** holds every batch, byte for byte. It can be exported once the game is over (before that by its
host alone), verified, and imported elsewhere as the table that it is of. A bundle of what one seat was **told** can be
exported at any time: it holds every batch's number and hash, and of its events what they told that seat. What each
proves, and to whom, is told on the page about trust.
"""

from ludolog.bundles.checking import Summary, verify_bundle
from ludolog.bundles.comparing import verify_against
from ludolog.bundles.fairness import Fairness
from ludolog.bundles.files import read_lines, write_lines
from ludolog.bundles.layout import BUNDLE_FORMAT, LONGEST_LINE, Header, Mark, Told
from ludolog.bundles.storing import import_bundle
from ludolog.bundles.writing import export_bundle, export_told

__all__ = [
    "BUNDLE_FORMAT",
    "LONGEST_LINE",
    "Fairness",
    "Header",
    "Mark",
    "Summary",
    "Told",
    "export_bundle",
    "export_told",
    "import_bundle",
    "read_lines",
    "verify_against",
    "verify_bundle",
    "write_lines",
]
