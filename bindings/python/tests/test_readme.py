"""The programs of the README, one after the other, as they stand there, print what it says."""

from __future__ import annotations

import contextlib
import io
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"


def test_the_readme_keeps_its_word() -> None:
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README.read_text(encoding="ascii"), re.DOTALL)
    assert len(blocks) == README.read_text(encoding="ascii").count("```python")
    for program, promised in blocks:
        if "load_urdf" in program and find_spec("yourdfpy") is None:
            continue  # the tests of robots are skipped then, with a message
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, str(README), "exec"), names)
        assert printed.getvalue() == promised
