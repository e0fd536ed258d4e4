"""Reads the invoices of public test sets with Python's own XML reader: what each says, by the names of the product.

Takes a folder with the jars. Writes each invoice to `<folder>/invoices/<number>.xml` and prints a list of
`{ file, values, lines }`.
"""

import hashlib
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

folder = pathlib.Path(sys.argv[1])
(folder / "invoices").mkdir(exist_ok=True)

UBL = {
    "number": ["ID"],
    "issue_date": ["IssueDate"],
    "due_date": ["DueDate"],
    "currency": ["DocumentCurrencyCode"],
    "seller": ["AccountingSupplierParty/Party/PartyLegalEntity/RegistrationName", "AccountingSupplierParty/Party/PartyName/Name"],
    "buyer": ["AccountingCustomerParty/Party/PartyLegalEntity/RegistrationName", "AccountingCustomerParty/Party/PartyName/Name"],
    "iban": ["PaymentMeans/PayeeFinancialAccount/ID"],
    "net": ["LegalMonetaryTotal/TaxExclusiveAmount"],
    "tax": ["TaxTotal/TaxAmount"],
    "gross": ["LegalMonetaryTotal/TaxInclusiveAmount"],
    "payable": ["LegalMonetaryTotal/PayableAmount"],
}
UBL_LINES = "InvoiceLine|CreditNoteLine"
UBL_LINE = {
    "quantity": ["InvoicedQuantity|CreditedQuantity"],
    "net": ["LineExtensionAmount"],
    "text": ["Item/Name"],
}

TRADE = "SupplyChainTradeTransaction"
SETTLED = TRADE + "/ApplicableHeaderTradeSettlement"
SUMS = SETTLED + "/SpecifiedTradeSettlementHeaderMonetarySummation"
CII = {
    "number": ["ExchangedDocument/ID"],
    "issue_date": ["ExchangedDocument/IssueDateTime/DateTimeString"],
    "due_date": [SETTLED + "/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString"],
    "currency": [SETTLED + "/InvoiceCurrencyCode"],
    "seller": [TRADE + "/ApplicableHeaderTradeAgreement/SellerTradeParty/Name"],
    "buyer": [TRADE + "/ApplicableHeaderTradeAgreement/BuyerTradeParty/Name"],
    "iban": [SETTLED + "/SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID"],
    "net": [SUMS + "/TaxBasisTotalAmount"],
    "tax": [SUMS + "/TaxTotalAmount"],
    "gross": [SUMS + "/GrandTotalAmount"],
    "payable": [SUMS + "/DuePayableAmount"],
}
CII_LINES = TRADE + "/IncludedSupplyChainTradeLineItem"
CII_LINE = {
    "quantity": ["SpecifiedLineTradeDelivery/BilledQuantity"],
    "net": ["SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount"],
    "text": ["SpecifiedTradeProduct/Name"],
}
# More bytes or lines than these are not read.
MAX_BYTES, MAX_LINES = 4_000_000, 400


def local(element):
    return element.tag.split("}")[-1]


def all_at(element, path):
    found = [element]
    for step in path.split("/"):
        found = [child for each in found for child in each if local(child) in step.split("|")]
    return found


def text_at(element, paths):
    for path in paths:
        for each in all_at(element, path)[:1]:
            text = " ".join("".join(each.itertext()).split())
            if text:
                return re.sub(r"^(\d{4})(\d\d)(\d\d)$", r"\1-\2-\3", text) if "Date" in path else text
    return None


def values_of(element, fields):
    found = {name: text_at(element, paths) for name, paths in fields.items()}
    return {name: text for name, text in found.items() if text is not None}


invoices, seen = [], set()
for jar in sorted(folder.glob("*.jar")):
    with zipfile.ZipFile(jar) as archive:
        for entry in sorted(archive.infolist(), key=lambda each: each.filename):
            if not entry.filename.endswith(".xml") or entry.file_size > MAX_BYTES:
                continue
            content = archive.read(entry)
            digest = hashlib.sha256(content).hexdigest()
            try:
                root = ElementTree.fromstring(content)
            except ElementTree.ParseError:
                continue
            is_cii = local(root) == "CrossIndustryInvoice"
            is_ubl = local(root) in ("Invoice", "CreditNote") and re.search("ubl:schema:xsd:(Invoice|CreditNote)-2", root.tag)
            lines = all_at(root, CII_LINES if is_cii else UBL_LINES)
            if digest in seen or len(lines) > MAX_LINES or not (is_cii or is_ubl):
                continue
            seen.add(digest)
            file = folder / "invoices" / f"{len(invoices)}.xml"
            file.write_bytes(content)
            values = values_of(root, CII if is_cii else UBL)
            rows = [values_of(line, CII_LINE if is_cii else UBL_LINE) for line in lines]
            invoices.append({"file": str(file), "values": values, "lines": rows})
print(json.dumps(invoices))
