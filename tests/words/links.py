#!/usr/bin/env python3
"""Checks that links between pages lead to a file, and to a heading where they name one.

    python3 tests/words/links.py

Each broken link is printed as `file:line: target`. Links to other sites are not followed.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = {"target", "build", "node_modules", ".git"}


def anchors(text):
    """Returns the anchors of the headings of a page, as GitHub makes them."""
    result = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower())
        result.add(plain.replace(" ", "-"))
    return result


def main():
    broken = count = 0
    for page in sorted(ROOT.rglob("*.md")):
        if SKIPPED.intersection(page.relative_to(ROOT).parts):
            continue
        fenced = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            fenced ^= line.strip().startswith("```")
            if fenced:
                continue
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                file, _, anchor = target.partition("#")
                other = (page.parent / file).resolve() if file else page
                count += 1
                is_there = other.exists()
                if is_there and anchor and other.suffix == ".md":
                    is_there = anchor in anchors(other.read_text(encoding="utf-8"))
                if not is_there:
                    broken += 1
                    print(f"{page.relative_to(ROOT)}:{number}: {target}")
    print(f"{count} links, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
