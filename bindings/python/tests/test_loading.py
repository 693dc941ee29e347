"""Which library is opened, and which is refused: with a copy of the package that has none of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import drystone

PROGRAM = "import drystone; print(drystone.library_path(), drystone.version())"


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with the package, without a library beside it."""
    package = Path(drystone.__file__).parent
    shutil.copytree(package, tmp_path / "drystone", ignore=shutil.ignore_patterns("*.so", "*.dylib", "*.dll"))
    return tmp_path


def run(folder: Path, program: str = PROGRAM, **variables: str) -> subprocess.CompletedProcess[str]:
    """Python with the package of a folder."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, cwd=folder
    )


def test_the_one_that_is_named(bare: Path) -> None:
    ended = run(bare, DRYSTONE_LIBRARY=drystone.library_path())
    assert ended.stdout.split() == [drystone.library_path(), drystone.version()], ended.stderr


def test_none(bare: Path) -> None:
    ended = run(bare, DRYSTONE_LIBRARY=str(bare / "none.so"))
    assert ended.returncode == 1
    assert "ImportError" in ended.stderr and "none.so" in ended.stderr and "DRYSTONE_LIBRARY" in ended.stderr


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize(
    ("version", "functions", "message"),
    [
        ("0", "", "has no dry_status_name: expected drystone"),
        ("1u << 22", "ALL", "is drystone 1.0.0: expected 0.1.0, or newer with the same major version"),
        ("0", "ALL", "is drystone 0.0.0: expected 0.1.0"),
    ],
)
def test_another_library(bare: Path, version: str, functions: str, message: str) -> None:
    names = [name for name in vars(drystone.raw.Library) if name.startswith("dry_")]
    if not names:  # declared for type checkers alone
        names = [name for name in drystone.raw.library.__dict__ if name.startswith("dry_")]
    source = "".join(f"int {name}(void) {{ return 0; }}\n" for name in names if functions and name != "dry_version")
    (bare / "other.c").write_text(source + f"unsigned dry_version(void) {{ return {version}; }}\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "libother.so", "other.c"], cwd=bare, check=True)
    ended = run(bare, DRYSTONE_LIBRARY=str(bare / "libother.so"))
    assert ended.returncode == 1 and message in ended.stderr, ended.stderr
