import type { MachineData } from '@docwright/contract';
import { DomUtils, parseDocument } from 'htmlparser2';

type Node = ReturnType<typeof parseDocument>['children'][number];
type Element = Parameters<typeof DomUtils.getAttributeValue>[0];

/** A larger file is no invoice that anyone reads. */
const maxCharacters = 20_000_000;
const maxLines = 500;
const maxTaxes = 100;
/** A file chooses the length of its texts. */
const maxTextLength = 2_000;

/**
 * The values of an electronic invoice: Cross Industry Invoice (Factur-X, ZUGFeRD 1 and 2, XRechnung) or UBL (XRechnung, Peppol).
 * Amounts and quantities are texts with every digit of the file. Undefined for any other XML.
 */
export function readInvoiceXml(xml: string): MachineData | undefined {
  if (xml.length > maxCharacters) return undefined;
  const root = parseDocument(xml, { xmlMode: true }).children.find((node): node is Element => 'attribs' in node);
  const kind = root?.name.split(':').at(-1);
  if (root === undefined) return undefined;
  if (kind === 'CrossIndustryInvoice' || kind === 'CrossIndustryDocument') return readCii(root);
  return (kind === 'Invoice' || kind === 'CreditNote') && isUbl(root) ? readUbl(root) : undefined;
}

function isUbl({ attribs }: Element): boolean {
  return Object.values(attribs).some((value) =>
    /^urn:oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote)-2$/.test(value),
  );
}

/** Names that differ between the versions stand beside each other; `|` separates them. */
const cii = {
  context: 'ExchangedDocumentContext|SpecifiedExchangedDocumentContext',
  document: 'ExchangedDocument|HeaderExchangedDocument',
  transaction: 'SupplyChainTradeTransaction|SpecifiedSupplyChainTradeTransaction',
  agreement: 'ApplicableHeaderTradeAgreement|ApplicableSupplyChainTradeAgreement',
  delivery: 'ApplicableHeaderTradeDelivery|ApplicableSupplyChainTradeDelivery',
  settlement: 'ApplicableHeaderTradeSettlement|ApplicableSupplyChainTradeSettlement',
  sums: 'SpecifiedTradeSettlementHeaderMonetarySummation|SpecifiedTradeSettlementMonetarySummation',
  line: 'IncludedSupplyChainTradeLineItem',
  lineAgreement: 'SpecifiedLineTradeAgreement|SpecifiedSupplyChainTradeAgreement',
  lineDelivery: 'SpecifiedLineTradeDelivery|SpecifiedSupplyChainTradeDelivery',
  lineSettlement: 'SpecifiedLineTradeSettlement|SpecifiedSupplyChainTradeSettlement',
  lineSums: 'SpecifiedTradeSettlementLineMonetarySummation|SpecifiedTradeSettlementMonetarySummation',
  percent: 'RateApplicablePercent|ApplicablePercent',
} as const;

function readCii(root: Element): MachineData {
  const text = (...path: string[]): string | undefined => textAt(root, ...path);
  const inAgreement = (...path: string[]) => text(cii.transaction, cii.agreement, ...path);
  const inSettlement = (...path: string[]) => text(cii.transaction, cii.settlement, ...path);
  const sum = (name: string) => inSettlement(cii.sums, name);
  const means = 'SpecifiedTradeSettlementPaymentMeans';
  const party = (name: string) => {
    const of = (...path: string[]) => inAgreement(name, ...path);
    const registrations = listItems(root, 20, cii.transaction, cii.agreement, name, 'SpecifiedTaxRegistration');
    const vat = registrations.find((each) => schemeOf(each) === 'VA');
    const tax = registrations.find((each) => schemeOf(each) === 'FC');
    return withoutEmpty({
      name: of('Name'),
      vat_id: vat && textAt(vat, 'ID'),
      tax_number: tax && textAt(tax, 'ID'),
      street: of('PostalTradeAddress', 'LineOne'),
      postal_code: of('PostalTradeAddress', 'PostcodeCode'),
      city: of('PostalTradeAddress', 'CityName'),
      country: of('PostalTradeAddress', 'CountryID'),
    });
  };
  const taxes = listItems(root, maxTaxes, cii.transaction, cii.settlement, 'ApplicableTradeTax').map((tax) =>
    withoutEmpty({
      rate: textAt(tax, cii.percent),
      category: textAt(tax, 'CategoryCode'),
      basis: textAt(tax, 'BasisAmount'),
      amount: textAt(tax, 'CalculatedAmount'),
    }),
  );
  const lines = listItems(root, maxLines, cii.transaction, cii.line).map((line) =>
    withoutEmpty({
      id: textAt(line, 'AssociatedDocumentLineDocument', 'LineID'),
      name: textAt(line, 'SpecifiedTradeProduct', 'Name'),
      description: textAt(line, 'SpecifiedTradeProduct', 'Description'),
      article_number: textAt(line, 'SpecifiedTradeProduct', 'SellerAssignedID'),
      quantity: textAt(line, cii.lineDelivery, 'BilledQuantity'),
      unit: unitAt(line, cii.lineDelivery, 'BilledQuantity'),
      unit_price: textAt(line, cii.lineAgreement, 'NetPriceProductTradePrice', 'ChargeAmount'),
      tax_rate: textAt(line, cii.lineSettlement, 'ApplicableTradeTax', cii.percent),
      net: textAt(line, cii.lineSettlement, cii.lineSums, 'LineTotalAmount'),
    }),
  );
  const occurrence = ['ActualDeliverySupplyChainEvent', 'OccurrenceDateTime', 'DateTimeString'];
  return invoice(text(cii.context, 'GuidelineSpecifiedDocumentContextParameter', 'ID'), {
    number: text(cii.document, 'ID'),
    type_code: text(cii.document, 'TypeCode'),
    issue_date: dateOf(text(cii.document, 'IssueDateTime', 'DateTimeString')),
    due_date: dateOf(inSettlement('SpecifiedTradePaymentTerms', 'DueDateDateTime', 'DateTimeString')),
    delivery_date: dateOf(text(cii.transaction, cii.delivery, ...occurrence)),
    currency: inSettlement('InvoiceCurrencyCode'),
    buyer_reference: inAgreement('BuyerReference'),
    order_number: inAgreement('BuyerOrderReferencedDocument', 'IssuerAssignedID|ID'),
    seller: party('SellerTradeParty'),
    buyer: party('BuyerTradeParty'),
    payment: withoutEmpty({
      iban: inSettlement(means, 'PayeePartyCreditorFinancialAccount', 'IBANID'),
      bic: inSettlement(means, 'PayeeSpecifiedCreditorFinancialInstitution', 'BICID'),
      reference: inSettlement('PaymentReference'),
      terms: inSettlement('SpecifiedTradePaymentTerms', 'Description'),
    }),
    totals: withoutEmpty({
      lines: sum('LineTotalAmount'),
      allowances: sum('AllowanceTotalAmount'),
      charges: sum('ChargeTotalAmount'),
      net: sum('TaxBasisTotalAmount'),
      tax: sum('TaxTotalAmount'),
      gross: sum('GrandTotalAmount'),
      prepaid: sum('TotalPrepaidAmount'),
      payable: sum('DuePayableAmount'),
    }),
    taxes,
    lines,
  });
}

function schemeOf(registration: Element): string | undefined {
  const [id] = listItems(registration, 1, 'ID');
  return id?.attribs['schemeID'];
}

function readUbl(root: Element): MachineData {
  const text = (...path: string[]): string | undefined => textAt(root, ...path);
  const sum = (name: string) => text('LegalMonetaryTotal', name);
  const party = (role: string) => {
    const of = (...path: string[]) => text(role, 'Party', ...path);
    const schemes = listItems(root, 20, role, 'Party', 'PartyTaxScheme');
    const isVat = (each: Element) => textAt(each, 'TaxScheme', 'ID') === 'VAT';
    const [vat, tax] = [schemes.find(isVat), schemes.find((each) => !isVat(each))];
    return withoutEmpty({
      name: of('PartyLegalEntity', 'RegistrationName') ?? of('PartyName', 'Name'),
      vat_id: vat && textAt(vat, 'CompanyID'),
      tax_number: tax && textAt(tax, 'CompanyID'),
      street: of('PostalAddress', 'StreetName'),
      postal_code: of('PostalAddress', 'PostalZone'),
      city: of('PostalAddress', 'CityName'),
      country: of('PostalAddress', 'Country', 'IdentificationCode'),
    });
  };
  const taxes = listItems(root, maxTaxes, 'TaxTotal', 'TaxSubtotal').map((tax) =>
    withoutEmpty({
      rate: textAt(tax, 'TaxCategory', 'Percent'),
      category: textAt(tax, 'TaxCategory', 'ID'),
      basis: textAt(tax, 'TaxableAmount'),
      amount: textAt(tax, 'TaxAmount'),
    }),
  );
  const quantity = 'InvoicedQuantity|CreditedQuantity';
  const lines = listItems(root, maxLines, 'InvoiceLine|CreditNoteLine').map((line) =>
    withoutEmpty({
      id: textAt(line, 'ID'),
      name: textAt(line, 'Item', 'Name'),
      description: textAt(line, 'Item', 'Description'),
      article_number: textAt(line, 'Item', 'SellersItemIdentification', 'ID'),
      quantity: textAt(line, quantity),
      unit: unitAt(line, quantity),
      unit_price: textAt(line, 'Price', 'PriceAmount'),
      tax_rate: textAt(line, 'Item', 'ClassifiedTaxCategory', 'Percent'),
      net: textAt(line, 'LineExtensionAmount'),
    }),
  );
  return invoice(text('CustomizationID'), {
    number: text('ID'),
    type_code: text('InvoiceTypeCode|CreditNoteTypeCode'),
    issue_date: text('IssueDate'),
    due_date: text('DueDate') ?? text('PaymentMeans', 'PaymentDueDate'),
    delivery_date: text('Delivery', 'ActualDeliveryDate'),
    currency: text('DocumentCurrencyCode'),
    buyer_reference: text('BuyerReference'),
    order_number: text('OrderReference', 'ID'),
    seller: party('AccountingSupplierParty'),
    buyer: party('AccountingCustomerParty'),
    payment: withoutEmpty({
      iban: text('PaymentMeans', 'PayeeFinancialAccount', 'ID'),
      bic: text('PaymentMeans', 'PayeeFinancialAccount', 'FinancialInstitutionBranch', 'ID'),
      reference: text('PaymentMeans', 'PaymentID'),
      terms: text('PaymentTerms', 'Note'),
    }),
    totals: withoutEmpty({
      lines: sum('LineExtensionAmount'),
      allowances: sum('AllowanceTotalAmount'),
      charges: sum('ChargeTotalAmount'),
      net: sum('TaxExclusiveAmount'),
      tax: text('TaxTotal', 'TaxAmount'),
      gross: sum('TaxInclusiveAmount'),
      prepaid: sum('PrepaidAmount'),
      payable: sum('PayableAmount'),
    }),
    taxes,
    lines,
  });
}

function invoice(profile: string | undefined, data: Record<string, unknown>): MachineData {
  return {
    kind: 'invoice_xml',
    ...(profile !== undefined && { profile }),
    data: withoutEmpty(data),
  };
}

/** `20260314` as a date; any other text as it is. */
function dateOf(text: string | undefined): string | undefined {
  return text?.replace(/^(\d{4})(\d\d)(\d\d)(?:\d{4})?$/, '$1-$2-$3');
}

/** The text of the first element at a path of local names, of which `|` separates alternatives. Undefined if it has none. */
function textAt(from: Element, ...path: readonly string[]): string | undefined {
  const [found] = listItems(from, 1, ...path);
  const text = found && DomUtils.textContent(found).trim().replaceAll(/\s+/g, ' ').slice(0, maxTextLength);
  return text || undefined;
}

/** The unit of a quantity. */
function unitAt(from: Element, ...path: readonly string[]): string | undefined {
  const [found] = listItems(from, 1, ...path);
  return found?.attribs['unitCode'] || undefined;
}

/** The elements at a path, at most `limit`. */
function listItems(from: Element, limit: number, ...path: readonly string[]): Element[] {
  let found = [from];
  for (const step of path) {
    const names = step.split('|');
    found = found.flatMap(({ children }) => children.filter((node): node is Element => isNamed(node, names)));
  }
  return found.slice(0, limit);
}

function isNamed(node: Node, names: readonly string[]): boolean {
  return 'attribs' in node && names.includes(node.name.slice(node.name.indexOf(':') + 1));
}

/** Without absent values, empty lists and empty objects. */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0),
    ),
  );
}
