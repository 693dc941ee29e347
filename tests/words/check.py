#!/usr/bin/env python3
"""Checks that documents and comments are easy to read.

    python3 tests/words/check.py                 all pages (*.md): what `make words` runs
    python3 tests/words/check.py src include     other files and folders
    python3 tests/words/check.py --summary src   counts by word and by file, without the list of hits

Sentences of README.md, ARCHITECTURE.md and docs/*.md have at most 18 words on average and 35 at most. Sentences of
doc comments in Rust sources have at most 30. Headings, tables, code blocks and formulas are not sentences, and code
in backticks counts as one word. The words of tests/words.txt occur in no document and in no comment. Each hit is
printed as `file:line: reason`. The exit code is 1 where there is a hit.
"""

import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEAN = 18.0
LONGEST_IN_PAGE = 35
LONGEST_IN_COMMENT = 30

# Where a comment begins, by the ending of a file's name. Block comments are those of C.
LINE_COMMENT = {"rs": "//", "c": "//", "h": "//", "hpp": "//", "cpp": "//", "f90": "!", "jl": "#", "py": "#",
                "sh": "#", "toml": "#", "txt": "#", "cmake": "#"}
WITH_BLOCKS = {"rs", "c", "h", "hpp", "cpp"}
WITH_TEXTS = {"py", "jl"}
SKIPPED = {"target", "build", "node_modules", ".git", "__pycache__"}
NOT_PROSE = {"tests/words.txt", "tests/words/check.py"}


def files(paths):
    """Yields the files below `paths` that have prose, in order of their names; without paths all pages."""
    endings = set(LINE_COMMENT) | {"md"} if paths else {"md"}
    for path in paths or ["."]:
        path = ROOT / path
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for each in found:
            name = each.relative_to(ROOT).as_posix()
            is_recorded = re.match(r"tests/abi/\d+/", name)
            skipped = SKIPPED.intersection(each.relative_to(ROOT).parts)
            if each.is_file() and each.suffix[1:] in endings and not skipped and not is_recorded and name not in NOT_PROSE:
                yield each


def markdown_paragraphs(text):
    """Yields (line, text) for each paragraph and list item: no code, tables, headings and formulas."""
    paragraph, first, fenced, after_blank, in_list = [], 0, False, True, False
    for number, line in enumerate(text.split("\n") + [""], 1):
        stripped = line.strip()
        fence = stripped.startswith("```")
        indented = line.startswith("    ") and after_blank and not in_list
        item = re.match(r"([*+-]|\d+\.) ", stripped)
        ends = fence or fenced or indented or not stripped or item or re.match(r"[|#>]", stripped)
        if ends and paragraph:
            yield first, " ".join(paragraph)
            paragraph = []
        if fence:
            fenced = not fenced
        if stripped.startswith("#"):
            in_list = False
        if fence or fenced or indented or re.match(r"[|#]", stripped):
            continue
        if not stripped:
            after_blank = True
            continue
        if not line.startswith(" ") or item:
            in_list = bool(item)
        after_blank = False
        if not paragraph:
            first = number
        paragraph.append(stripped[item.end():] if item else stripped)


def plain(text):
    """Returns `text` without marks: code as one word, links and pictures as their text."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"``.*?``|`[^`]*`", "code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\[[^\]]*\]", r"\1", text)
    text = re.sub(r"<[^>]*>", "", text)
    return re.sub(r"\*\*|__", "", text)


def sentences(text):
    """Yields the numbers of words of the sentences of a paragraph, with the sentences."""
    for sentence in re.split(r"(?<=[.!?])[)\"']*\s+(?=[\"'(\[*]*[A-Z0-9]|\**code)|(?<=[.!?][)\"'])\s+(?=[A-Z0-9]|code)", plain(text)):
        words = [word for word in sentence.split() if re.search(r"[A-Za-z0-9]", word)]
        if words:
            yield len(words), sentence


def comments(path, text):
    """Yields (line, text, is_documentation) for each line of a comment."""
    ending = path.suffix[1:]
    mark, block, texts = LINE_COMMENT[ending], False, None
    for number, line in enumerate(text.split("\n"), 1):
        if ending in WITH_TEXTS:
            for quote in ('"""', "'''"):
                if texts is None and quote in line:
                    rest = line.split(quote, 1)[1]
                    yield number, rest.split(quote)[0], False
                    texts = None if quote in rest else quote
                    line = ""
                    break
                if texts == quote:
                    yield number, line.split(quote)[0], False
                    texts = None if quote in line else quote
                    line = ""
                    break
        if ending in WITH_BLOCKS:
            if not block and "/*" in line and not re.search(r"//.*/\*|\".*/\*", line):
                block, line = True, line.split("/*", 1)[1]
            if block:
                block = "*/" not in line
                yield number, line.split("*/")[0].strip().lstrip("*").strip(), False
                continue
        found = re.search(r"(^|\s)" + re.escape(mark) + r"+!?\s?(.*)", line)
        if found:
            is_documentation = ending == "rs" and bool(re.match(r"\s*//[/!]", line))
            yield number, found.group(2), is_documentation


def documentation(path, text):
    """Yields (line, paragraph) for the doc comments of a Rust source."""
    block, last = [], 0
    lines = [(number, body) for number, body, is_documentation in comments(path, text) if is_documentation]
    for number, body in lines + [(-1, "")]:
        if block and number != last + 1:
            start = last - len(block) + 1
            for line, paragraph in markdown_paragraphs("\n".join(block)):
                yield start + line - 1, paragraph
            block = []
        block.append(body)
        last = number


def read_words():
    """Returns the private words: (pattern, word, replacement, paths where it is allowed)."""
    result = []
    for line in (ROOT / "tests/words.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, replacement, *rest = [cell.strip() for cell in line.split("|")]
        ends = r"\w*" if word.endswith("*") else ""
        pattern = r"(?<![\w`])" + r"\s+".join(map(re.escape, word.rstrip("*").split())) + ends + r"(?![\w`])"
        result.append((re.compile(pattern, re.IGNORECASE), word, replacement, rest[0].split() if rest else []))
    return result


def prose(path, text):
    """Yields (line, text) for everything in a file that is prose: paragraphs and tables, or comments."""
    if path.suffix != ".md":
        yield from ((number, body) for number, body, _ in comments(path, text))
        return
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        fenced ^= line.strip().startswith("```")
        if not fenced and not line.startswith("    "):
            yield number, re.sub(r"\]\([^)]*\)", "]", line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="files and folders, from the root")
    parser.add_argument("--summary", action="store_true", help="print counts instead of hits")
    parser.add_argument("--pages", action="store_true", help="print the mean of each page")
    arguments = parser.parse_args()
    hits, by_word, by_file = [], collections.Counter(), collections.Counter()
    total_words = total_sentences = 0
    private = read_words()
    for path in files(arguments.paths):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace")
        is_page = name in ("README.md", "ARCHITECTURE.md") or re.fullmatch(r"docs/[^/]*\.md", name)
        if is_page or path.suffix == ".rs":
            paragraphs = documentation(path, text) if path.suffix == ".rs" else markdown_paragraphs(text)
            most = LONGEST_IN_PAGE if is_page else LONGEST_IN_COMMENT
            words = count = 0
            for line, paragraph in paragraphs:
                for length, sentence in sentences(paragraph):
                    words, count = words + length, count + 1
                    if length > most:
                        hits.append((name, line, f"{length} words: {sentence[:70].strip()} ..."))
                        by_word["long sentences"] += 1
                        by_file[name] += 1
            if is_page:
                total_words, total_sentences = total_words + words, total_sentences + count
                if arguments.pages:
                    print(f"{name}: {count} sentences, {words / max(count, 1):.1f} words on average")
        for line, body in prose(path, text):
            body = re.sub(r"``.*?``|`[^`]*`", "`code`", body)
            for pattern, word, replacement, allowed in private:
                if not any(name.startswith(prefix) for prefix in allowed):
                    for _ in pattern.finditer(body):
                        hits.append((name, line, f'"{word}": {replacement}'))
                        by_word[word] += 1
                        by_file[name] += 1
    if total_sentences and total_words > MEAN * total_sentences:
        hits.append(("README.md", 1, f"the pages have {total_words / total_sentences:.1f} words a sentence, {MEAN:g} at most"))
    if arguments.summary:
        for counts in (by_word, by_file):
            for each, count in counts.most_common():
                print(f"{count:5} {each}")
            print()
    else:
        for name, line, reason in sorted(hits):
            print(f"{name}:{line}: {reason}")
    if total_sentences:
        print(f"pages: {total_sentences} sentences, {total_words / total_sentences:.1f} words on average")
    print(f"{len(hits)} hits")
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())
