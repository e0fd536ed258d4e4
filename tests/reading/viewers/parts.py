"""Prints as JSON what an Office file says of how its words are shown.

The numbers that a file with charts holds: the others along the axes are computed by what draws them. The categories of charts, and what
Office calls their series that have no name. Whether a
workbook has drawings. The notes of slides, words in curved letters that LibreOffice draws as shapes, stored dates of fields that it
computes anew, signs of lists, and text that is marked as deleted, which it prints.
"""

import json
import re
import sys
import zipfile

found = {"numbers": None, "categories": [], "unnamed": [], "hasDrawings": False, "notes": [], "art": [], "dates": [], "signs": [], "deleted": []}


def texts(xml, element):
    return ["".join(re.findall(rf"<{element}(?: [^>]*)?>([^<]*)", part)) for part in re.findall(r"<a:p>.*?</a:p>", xml, re.S)]


def unescaped(text):
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")


try:
    with zipfile.ZipFile(sys.argv[1]) as archive:
        names = archive.namelist()
        parts = {name: archive.read(name).decode("utf-8", "replace") for name in names if name.endswith((".xml", ".vml"))}
        if any("/charts/chart" in name or name.startswith("Object ") for name in names):
            found["numbers"] = sorted(
                {word for xml in parts.values() for word in re.findall(r"(?<![\w.,-])[-–]?[\d.,]+%?", xml)}
            )
        # Comments are drawings too, but stand with the cells.
        found["hasDrawings"] = "content.xml" in names or any(
            re.search(r"xl/(drawings/drawing|charts/|ctrlProps/|activeX/)", name)
            or ("vmlDrawing" in name and re.search(r'ObjectType="(?!Note)', xml))
            for name, xml in parts.items()
        )
        for name, xml in parts.items():
            if re.search(r"charts/chart[^/]*\.xml$", name):
                cells = re.findall(r"<c:cat>.*?</c:cat>", xml, re.S)
                series = re.findall(r"<c:ser>.*?</c:ser>", xml, re.S)
                # Labels that were typed have a text of the same element.
                isNamed = ["<c:tx>" in one.split("<c:dLbl")[0] for one in series]
                found["unnamed"] += [f"Series{at + 1}" for at in range(len(series)) if not isNamed[at]]
                found["categories"] += [word for part in cells for word in re.findall(r"<c:v>([^<]*)", part)]
            if re.search(r"notesSlides/[^/]*\.xml$", name):
                found["notes"] += ["Notes:"] + texts(xml, "a:t")
            for body in re.findall(r"<(?:p|xdr):txBody>.*?</(?:p|xdr):txBody>|<wps:wsp>.*?</wps:wsp>", xml, re.S):
                if re.search(r'<a:prstTxWarp prst="(?!textNoShape)', body):
                    found["art"] += re.findall(r"<(?:a|w):t(?: [^>]*)?>([^<]*)", body)
            found["art"] += re.findall(r'<v:textpath [^>]*string="([^"]*)"', xml)
            for field in re.findall(r'<a:fld [^>]*type="datetime.*?</a:fld>', xml, re.S):
                found["dates"] += re.findall(r"<a:t>([^<]*)", field)
            found["signs"] += re.findall(r'<a:buChar char="([^"]*)"', xml)
            found["deleted"] += re.findall(r"<w:delText(?: [^>]*)?>([^<]*)", xml)
            for moved in re.findall(r"<w:moveFrom .*?</w:moveFrom>", xml, re.S):
                found["deleted"] += re.findall(r"<w:t(?: [^>]*)?>([^<]*)", moved)
except zipfile.BadZipFile:
    pass
for key in ("notes", "art", "dates", "signs", "deleted"):
    found[key] = [unescaped(text) for text in found[key]]
print(json.dumps(found))
