"""Puts the library and the licences into the wheel, and names the machines that the wheel is for."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

REPOSITORY = Path(__file__).resolve().parents[2]


class WheelHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling before it writes the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds what does not lie in the package's folder. An editable install finds its library by itself."""
        if version == "editable":
            return
        library = found()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{machine(library)}"
        build_data["force_include"][str(library)] = f"drystone/{unversioned(library)}"
        licences = f"drystone-{self.metadata.version}.dist-info/licenses"
        for name in ("LICENSE-MIT", "LICENSE-APACHE"):
            build_data["force_include"][str(REPOSITORY / name)] = f"{licences}/{name}"


def found() -> Path:
    """The library: $DRYSTONE_LIBRARY, else that of the repository, built for release."""
    named = os.environ.get("DRYSTONE_LIBRARY")
    if named:
        return Path(named).resolve(strict=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR") or REPOSITORY / "target")
    subprocess.run(["cargo", "build", "--release", "--lib", "--quiet"], cwd=REPOSITORY, check=True)
    return next(path for path in (target / "release").iterdir() if unversioned(path) == path.name)


def unversioned(library: Path) -> str:
    """What the package looks for: libdrystone.so of libdrystone.so.0.1.0."""
    name = re.match(r"(lib)?drystone\.(so|dylib|dll)", library.name)
    return name.group() if name else ""


def machine(library: Path) -> str:
    """The platform's tag. On Linux it has the newest version of the C library whose functions are called."""
    plain = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if not plain.startswith("linux") or platform.libc_ver()[0] != "glibc":
        return plain
    versions = re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?=[.\0])", library.read_bytes())
    major, minor = max((int(major), int(minor)) for major, minor in versions)
    return plain.replace("linux", f"manylinux_{major}_{minor}", 1)
