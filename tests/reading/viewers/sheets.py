"""Prints the words of a workbook's visible cells as JSON: each sheet's name and words, row by row, of a flat OpenDocument file.

A word has the reason "computed" where LibreOffice computes the cell anew, and "pivot" where it fills a pivot table anew.
"""

import json
import re
import sys
import xml.etree.ElementTree as tree

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
MAX_REPEATS = 20_000


def text_of(node):
    """The text of a paragraph, without the readings of Japanese words."""
    parts = [node.text or ""]
    for child in node:
        if child.tag == TEXT + "s":
            parts.append(" " * int(child.get(TEXT + "c", "1")))
        elif child.tag in (TEXT + "tab", TEXT + "line-break"):
            parts.append("\n")
        elif child.tag not in (TEXT + "ruby-text", OFFICE + "annotation"):
            parts.append(text_of(child))
        parts.append(child.tail or "")
    return "".join(parts)


def texts_in(cell):
    for child in cell:
        if child.tag == TEXT + "p":
            yield text_of(child)
        elif child.tag == OFFICE + "annotation" and child.get(OFFICE + "display") == "true":
            # A comment that stays open.
            for line in child.iter(TEXT + "p"):
                yield text_of(line)


def parts_of(sheet, name):
    """The rows or columns of a sheet, those in groups among them, but not those of tables in its charts."""
    for child in sheet:
        if child.tag == TABLE + name:
            yield child
        elif child.tag.startswith((TABLE + name, TABLE + "table-header")):
            yield from parts_of(child, name)


def hidden_columns(sheet):
    """The columns of a sheet that are not shown, as ranges."""
    ranges, at = [], 0
    for column in parts_of(sheet, "table-column"):
        count = int(column.get(TABLE + "number-columns-repeated", "1"))
        if column.get(TABLE + "visibility", "visible") != "visible":
            ranges.append((at, at + count))
        at += count
    return ranges


def place_of(address):
    """Sheet, row and column of an address such as 'Sales 2026'.B7."""
    name, letters, digits = re.fullmatch(r"(?:\$?(.*)\.)?\$?([A-Z]+)\$?(\d+)", address).groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return (name or "").strip("'").replace("''", "'"), int(digits) - 1, column - 1


def pivot_ranges(body):
    """Sheet, first and last row, first and last column of each pivot table."""
    for pivot in body.iter(TABLE + "data-pilot-table"):
        address = pivot.get(TABLE + "target-range-address", "")
        # A name in quotation marks can have a colon.
        split = re.fullmatch(r"(.*?\d):(\S*\d)", address, re.S)
        if split:
            (sheet, top, left), (_, bottom, right) = place_of(split[1]), place_of(split[2])
            yield sheet, top, bottom, left, right


def words_of(sheet, pivots):
    hidden = hidden_columns(sheet)
    own = [area for area in pivots if area[0] == sheet.get(TABLE + "name")]
    words, number = [], 0
    for row in parts_of(sheet, "table-row"):
        first, number = number, number + int(row.get(TABLE + "number-rows-repeated", "1"))
        if row.get(TABLE + "visibility", "visible") != "visible":
            continue
        line, at = [], 0
        for cell in row:
            count = int(cell.get(TABLE + "number-columns-repeated", "1"))
            if cell.tag == TABLE + "table-cell":
                in_pivot = any(top <= first <= bottom and left <= at <= right for _, top, bottom, left, right in own)
                computed = "computed" if cell.get(TABLE + "formula") else None
                reason = "pivot" if in_pivot else computed
                # The other cells of a formula for many cells have their results alone.
                error = re.compile(r"Err:\d+$|#[A-Z/0]+[!?]?$")
                found = [
                    {"text": word, "reason": reason or "computed"} if reason or error.match(word) else {"text": word}
                    for text in texts_in(cell)
                    for word in text.split()
                ]
                if found:
                    for column in range(at, at + min(count, MAX_REPEATS)):
                        if not any(start <= column < end for start, end in hidden):
                            line += found
            at += count
        words += line * min(int(row.get(TABLE + "number-rows-repeated", "1")), MAX_REPEATS)
    return words


# Characters that XML does not allow, which LibreOffice writes all the same.
root = tree.fromstring(re.sub(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", b"", open(sys.argv[1], "rb").read()))
not_shown = {
    style.get(STYLE + "name")
    for style in root.iter(STYLE + "style")
    if any(part.get(TABLE + "display") == "false" for part in style.iter(STYLE + "table-properties"))
}
body = root.find(f"{OFFICE}body/{OFFICE}spreadsheet")
pivots = list(pivot_ranges(body))
sheets = [
    {"name": sheet.get(TABLE + "name"), "words": words_of(sheet, pivots)}
    for sheet in body.findall(TABLE + "table")
    if sheet.get(TABLE + "style-name") not in not_shown
]
print(json.dumps(sheets))
