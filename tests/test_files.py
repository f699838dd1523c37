"""Files are written whole or not at all, and what is no file stays what it is."""

import os
import stat
from pathlib import Path

import pytest

from goldgriff.files import FileError, write_together, write_whole


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "file", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"new", b"newer"):  # the target does not exist at first
        write_whole(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o600 | stat.S_IFCHR, os.stat("/dev/null").st_rdev)
    except PermissionError:
        device.symlink_to("/dev/null")
    write_whole(device, b"lost")
    assert device.is_char_device()


def test_a_pipe_takes_the_content_as_it_is(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as pipe:
        write_together({Path(f"/dev/fd/{writing}"): b"content", tmp_path / "file": b"text"})
        os.close(writing)
        assert pipe.read() == b"content"
    assert (tmp_path / "file").read_bytes() == b"text"


def test_where_one_file_cannot_be_written_none_is(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(FileError, match=r"cannot write .*folder: Is a directory"):
        write_together({tmp_path / "file": b"new", tmp_path / "folder": b"new"})
    assert (tmp_path / "file").read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 2
