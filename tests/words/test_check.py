#!/usr/bin/env python3
"""Tests of check.py on small texts: python3 tests/words/test_check.py"""

import pathlib
import unittest

import check


class Sentences(unittest.TestCase):
    def lengths(self, text):
        return [length for length, _ in check.sentences(text)]

    def test_ends_at_a_point_before_a_capital(self):
        self.assertEqual(self.lengths("One two. Three four five! Six?"), [2, 3, 1])

    def test_does_not_end_within_numbers_and_names(self):
        self.assertEqual(self.lengths("Version 4.0.0 of step.rs has 1.5 m."), [7])

    def test_code_is_one_word_and_links_are_their_text(self):
        self.assertEqual(self.lengths("Call `f(a, b, c)` as [the guide](x.md) shows."), [6])
        self.assertEqual(self.lengths("It ends. `code` begins."), [2, 2])


class Paragraphs(unittest.TestCase):
    def paragraphs(self, text):
        return list(check.markdown_paragraphs(text))

    def test_headings_tables_and_code_are_none(self):
        text = "# Title\n\n| a | b |\n|---|---|\n\n    code here\n\n```c\nint x;\n```\nText\nhere."
        self.assertEqual(self.paragraphs(text), [(11, "Text here.")])

    def test_items_are_paragraphs_of_their_own(self):
        self.assertEqual(self.paragraphs("* one\n  more\n* two"), [(1, "one more"), (3, "two")])

    def test_code_after_a_list_and_a_heading(self):
        self.assertEqual(self.paragraphs("* one\n\n## Next\n\n    code"), [(1, "one")])


class Comments(unittest.TestCase):
    def test_of_rust(self):
        text = "/// Returns it.\n/// Always.\nfn f() {} // why\nlet x = 1;"
        found = list(check.comments(pathlib.Path("a.rs"), text))
        self.assertEqual(found, [(1, "Returns it.", True), (2, "Always.", True), (3, "why", False)])
        self.assertEqual(list(check.documentation(pathlib.Path("a.rs"), text)), [(1, "Returns it. Always.")])

    def test_of_c_and_python(self):
        c = [body for _, body, _ in check.comments(pathlib.Path("a.c"), "/* one\n * two */\nint x; /* three */")]
        self.assertEqual(c, ["one", "two", "three"])
        python = [body for _, body, _ in check.comments(pathlib.Path("a.py"), '"""One."""\nx = 1  # two')]
        self.assertEqual(python, ["One.", "two"])


class Words(unittest.TestCase):
    def test_are_whole_and_have_a_replacement(self):
        words = check.read_words()
        self.assertGreaterEqual(len(words), 60)
        self.assertTrue(all(replacement for _, _, replacement, _ in words))
        told = next(pattern for pattern, word, _, _ in words if word == "told")
        self.assertTrue(told.search("It is told here."))
        self.assertFalse(told.search("retold, `told`"))


if __name__ == "__main__":
    unittest.main()
