"""Bundles as files: written whole or not at all, whoever fails or is killed; errors name the place asked for."""

import os
import signal
import subprocess
import sys

import pytest

from ludolog.bundles import write_lines
from ludolog.errors import CorruptLog


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "out.ludolog"
    write_lines(path, [b"one\n", b"two\n"])
    assert path.read_bytes() == b"one\ntwo\n"

    def failing():
        yield b"three\n"
        raise CorruptLog(why="halfway")

    with pytest.raises(CorruptLog, match="halfway"):
        write_lines(path, failing())
    assert path.read_bytes() == b"one\ntwo\n"
    assert [found.name for found in tmp_path.iterdir()] == ["out.ludolog"]
    write_lines(tmp_path / ("x" * 250), [b"long name\n"])


@pytest.mark.parametrize("place", ["no/such/folder/out.ludolog", "file/out.ludolog", "folder"])
def test_what_cannot_be_written_is_told_by_the_name_asked_for(tmp_path, place):
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"Errno") as found:
        write_lines(tmp_path / place, [b"one\n"])
    assert found.value.filename in {str(tmp_path / place), str((tmp_path / place).parent)}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_and_a_link_stay_what_they_are(tmp_path):
    """A device that is replaced by a file is gone for every program of the machine."""
    pipe, real, link = tmp_path / "pipe", tmp_path / "real", tmp_path / "link"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_lines(pipe, [b"one\n", b"two\n"])
    assert os.read(reading, 100) == b"one\ntwo\n"
    os.close(reading)
    assert pipe.is_fifo()
    link.symlink_to(real)
    for text in (b"one\n", b"two\n"):
        write_lines(link, [text])
        assert link.is_symlink()
        assert real.read_bytes() == text


KILLED = """
import os, signal, sys
from pathlib import Path
from ludolog.bundles import write_lines
def lines():
    for number in range(10_000):
        yield b"x" * 1000 + b"\\n"
        if number == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
write_lines(Path(sys.argv[1]), lines())
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
@pytest.mark.parametrize("at", [0, 5000, 9999])
def test_a_killed_export_leaves_no_half_file(tmp_path, at):
    """Under the name asked for there is what was there before; what was begun lies beside it, under another name."""
    path = tmp_path / "out.ludolog"
    path.write_bytes(b"before\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run([sys.executable, "-c", KILLED, path, str(at)], check=False, env=environment)
    assert found.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"before\n"
