"""Every code block of README.md and docs/ runs: a page top to bottom, in a folder of its own.

A ``python`` block is executed in the page's one module, so later blocks go on from earlier ones. In a ``pycon`` block
the printed answers are compared too. In a ``console`` block the lines ``$ ludolog ...`` are run and must succeed; other
commands there (make, pip, git) are the checks' own business. ``<!-- no-run: reason -->`` before a block leaves it out.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
RUN = {"python", "pycon", "console"}
SHOWN = {"text", "toml", "json", "yaml", "make", "mermaid", "html", "css", "sql"}
"""Languages of blocks that show something. A block in no known language fails, so that none is skipped by a typo."""

OPEN = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,}) *\{?\.?(?P<language>[\w+-]*)")
NO_RUN = re.compile(r"<!-- *no-run:(?P<reason>.*?)-->")
CLI = "from ludolog_plugins.cli import main; main()"


@dataclass(frozen=True)
class Block:
    """A fenced block; ``line`` is the line of its opening fence, counted from 1."""

    page: str
    line: int
    language: str
    text: str


def blocks_of(page: str, text: str) -> list[Block]:
    """Blocks of a page that are to be run, in order."""
    found: list[Block] = []
    lines = iter(enumerate(text.splitlines(), start=1))
    above = ""
    for number, line in lines:
        opening = OPEN.match(line)
        if opening is None:
            above = line.strip() or above
            continue
        inside: list[str] = []
        for _, after in lines:
            if after.strip() == opening["fence"]:
                break
            inside.append(after.removeprefix(opening["indent"]))
        else:
            pytest.fail(f"{page}:{number}: the block is never closed")
        no_run = NO_RUN.fullmatch(above)
        above = ""
        where = f"{page}:{number}"
        assert opening["language"] in RUN | SHOWN, f"{where}: no known language: {line.strip()!r}"
        if no_run is not None:
            assert no_run["reason"].strip(), f"{where}: a block that isn't run needs a reason: <!-- no-run: reason -->"
        elif opening["language"] in RUN:
            found.append(Block(page, number, opening["language"], "\n".join(inside) + "\n"))
    return found


def run_python(block: Block, module: ModuleType) -> None:
    # Empty lines in front make a traceback name the page's own line.
    code = compile("\n" * block.line + block.text, str(ROOT / block.page), "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - running the documentation is what this file is for


def run_pycon(block: Block, module: ModuleType) -> None:
    session = doctest.DocTestParser().get_doctest(
        block.text, module.__dict__, f"{block.page}:{block.line}", block.page, block.line
    )
    session.globs = module.__dict__  # the parser gives a copy, and later blocks go on from this one
    report: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.DocTestRunner(optionflags=flags).run(session, out=report.append, clear_globs=False)
    assert tried, f"{block.page}:{block.line}: no line starts with >>>"
    assert not failed, "".join(report)


def run_console(block: Block, home: Path) -> None:
    lines = re.sub(r"\\\n\s*", " ", block.text).splitlines()
    commands = [line[2:] for line in lines if line.startswith("$ ")]
    assert commands, f"{block.page}:{block.line}: no line starts with '$ '"
    environment = {
        **os.environ,
        "HOME": str(home),
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")]),
        "TERM": "dumb",
    }
    for command in commands:
        words = shlex.split(command, comments=True)
        if words[:1] != ["ludolog"]:
            continue
        done = subprocess.run(
            [sys.executable, "-c", CLI, *words[1:]],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        said = f"{done.stdout}{done.stderr}"
        assert done.returncode == 0, f"{block.page}:{block.line}: $ {command}\nexit code {done.returncode}\n{said}"


def run_page(blocks: list[Block], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A real module: msgspec and dataclasses look annotations up in sys.modules.
    module = ModuleType("page_of_the_docs")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.chdir(home)
    for block in blocks:
        if block.language == "python":
            run_python(block, module)
        elif block.language == "pycon":
            run_pycon(block, module)
        else:
            run_console(block, home)


def pages() -> list[str]:
    return ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md"))]


@pytest.mark.parametrize("page", pages())
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    run_page(blocks_of(page, (ROOT / page).read_text(encoding="utf-8")), tmp_path, monkeypatch)


def page_of(*parts: str) -> list[Block]:
    return blocks_of("page.md", "\n".join(parts))


def test_blocks_share_a_namespace_and_a_folder(tmp_path, monkeypatch):
    text = """
```python
from pathlib import Path
from dataclasses import dataclass
@dataclass
class Pair:
    left: "int"
Path("made.txt").write_text("here")
```

=== "Tab"

    ``` py-thon
    ```
""".replace("py-thon", "python")
    more = """
```pycon
>>> Pair(2).left + 1
3
>>> there = Path("made.txt").read_text()
```
```python
assert there == "here"
```
"""
    run_page(page_of(text, more), tmp_path, monkeypatch)
    assert (tmp_path / "made.txt").read_text() == "here"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```python\nassert 1 == 2, 'untrue'\n```", "untrue"),
        ("```pycon\n>>> 1 + 1\n3\n```", "Expected"),
        ("```pycon\n1 + 1\n```", "no line starts"),
        ("```console\nludolog games\n```", "no line starts"),
        ("```console\n$ ludolog no-such-command\n```", "exit code"),
        ("```\n1 + 1\n```", "no known language"),
        ("```pyhton\n1 + 1\n```", "no known language"),
        ("<!-- no-run: -->\n```python\n1 + 1\n```", "needs a reason"),
    ],
)
def test_a_wrong_block_fails(text, message, tmp_path, monkeypatch):
    with pytest.raises(AssertionError, match=message):
        run_page(page_of(text), tmp_path, monkeypatch)


def test_a_block_that_is_never_closed_fails():
    with pytest.raises(pytest.fail.Exception, match="never closed"):
        page_of("```python\n1 + 1")


def test_a_block_with_a_reason_is_left_out():
    shown = page_of("<!-- no-run: needs a server -->\n\n```python\n1 / 0\n```\n```python\n2 / 1\n```")
    assert [block.text for block in shown] == ["2 / 1\n"]


def test_a_traceback_names_the_line_of_the_page(tmp_path, monkeypatch):
    with pytest.raises(ZeroDivisionError) as caught:
        run_page(page_of("words", "", "```python", "one = 1", "one / 0", "```"), tmp_path, monkeypatch)
    assert caught.traceback[-1].lineno + 1 == 5
