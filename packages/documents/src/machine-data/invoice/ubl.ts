import type { MachineData } from '@docwright/contract';
import {
  invoice,
  linesOf,
  listItems,
  maxItems,
  textAt,
  textsAt,
  unitAt,
  withoutEmpty,
  type Element,
} from './xml-values.ts';

/** The values of an invoice or a credit note in UBL. */
export function readUbl(root: Element): MachineData {
  const text = (...path: string[]): string | undefined => textAt(root, ...path);
  const sum = (name: string) => text('LegalMonetaryTotal', name);
  const party = (...role: string[]) => {
    const of = (...path: string[]) => text(...role, ...path);
    const schemes = listItems(root, 20, ...role, 'PartyTaxScheme');
    const isVat = (each: Element) => textAt(each, 'TaxScheme', 'ID') === 'VAT';
    const [vat, tax] = [schemes.find(isVat), schemes.find((each) => !isVat(each))];
    return withoutEmpty({
      name: of('PartyLegalEntity', 'RegistrationName') ?? of('PartyName', 'Name'),
      vat_id: vat && textAt(vat, 'CompanyID'),
      tax_number: tax && textAt(tax, 'CompanyID'),
      id: of('PartyIdentification', 'ID'),
      legal_id: of('PartyLegalEntity', 'CompanyID'),
      trading_name: of('PartyLegalEntity', 'RegistrationName') && of('PartyName', 'Name'),
      electronic_address: of('EndpointID'),
      contact: withoutEmpty({
        name:
          of('Contact', 'Name') ??
          fullName(of('Person', 'FirstName'), of('Person', 'MiddleName'), of('Person', 'FamilyName')),
        role: of('Person', 'JobTitle'),
        phone: of('Contact', 'Telephone'),
        fax: of('Contact', 'Telefax'),
        email: of('Contact', 'ElectronicMail'),
      }),
      description: of('PartyLegalEntity', 'CompanyLegalForm'),
      ...addressAt(root, ...role, 'PostalAddress'),
    });
  };
  const taxes = listItems(root, maxItems, 'TaxTotal', 'TaxSubtotal').map((tax) =>
    withoutEmpty({
      rate: textAt(tax, 'TaxCategory', 'Percent'),
      category: textAt(tax, 'TaxCategory', 'ID'),
      basis: textAt(tax, 'TaxableAmount'),
      amount: textAt(tax, 'TaxAmount'),
      exemption_reason: textAt(tax, 'TaxCategory', 'TaxExemptionReason'),
      exemption_code: textAt(tax, 'TaxCategory', 'TaxExemptionReasonCode'),
    }),
  );
  const quantity = 'InvoicedQuantity|CreditedQuantity';
  const { lines, more_lines } = linesOf(allLines(root), (line) =>
    withoutEmpty({
      id: textAt(line, 'ID'),
      parent_id: localName(line).startsWith('Sub') ? textAt(line.parent as Element, 'ID') : undefined,
      note: textAt(line, 'Note'),
      name: textAt(line, 'Item', 'Name'),
      description: textAt(line, 'Item', 'Description'),
      article_number: textAt(line, 'Item', 'SellersItemIdentification', 'ID'),
      buyer_article_number: textAt(line, 'Item', 'BuyersItemIdentification', 'ID'),
      standard_number: textAt(line, 'Item', 'StandardItemIdentification', 'ID'),
      attributes: listItems(line, maxItems, 'Item', 'AdditionalItemProperty').map((each) =>
        withoutEmpty({ name: textAt(each, 'Name'), value: textAt(each, 'Value') }),
      ),
      period: periodAt(line),
      allowances: allowancesAt(line),
      quantity: textAt(line, quantity),
      unit: unitAt(line, quantity),
      unit_price: textAt(line, 'Price', 'PriceAmount'),
      gross_price: textAt(line, 'Price', 'AllowanceCharge', 'BaseAmount'),
      discount: textAt(line, 'Price', 'AllowanceCharge', 'Amount'),
      classification: textAt(line, 'Item', 'CommodityClassification', 'ItemClassificationCode'),
      order_line: textAt(line, 'OrderLineReference', 'LineID'),
      booking_reference: textAt(line, 'AccountingCost'),
      tax_rate: textAt(line, 'Item', 'ClassifiedTaxCategory', 'Percent'),
      tax: textAt(line, 'TaxTotal', 'TaxAmount'),
      net: textAt(line, 'LineExtensionAmount'),
    }),
  );
  return invoice(text('CustomizationID'), {
    number: text('ID'),
    type_code: text('InvoiceTypeCode|CreditNoteTypeCode'),
    issue_date: text('IssueDate'),
    tax_date: text('TaxPointDate'),
    due_date: text('DueDate') ?? text('PaymentMeans', 'PaymentDueDate'),
    delivery_date: text('Delivery', 'ActualDeliveryDate'),
    currency: text('DocumentCurrencyCode'),
    buyer_reference: text('BuyerReference'),
    order_number: text('OrderReference', 'ID'),
    sales_order_number: text('OrderReference', 'SalesOrderID'),
    project: text('ProjectReference', 'ID'),
    booking_reference: text('AccountingCost'),
    contract_number: text('ContractDocumentReference', 'ID'),
    preceding_invoice: text('BillingReference', 'InvoiceDocumentReference|CreditNoteDocumentReference', 'ID'),
    period: periodAt(root),
    notes: textsAt(root, 'Note'),
    seller: party('AccountingSupplierParty', 'Party'),
    buyer: party('AccountingCustomerParty', 'Party'),
    payee: party('PayeeParty'),
    ship_to: withoutEmpty({
      ...party('Delivery', 'DeliveryParty'),
      id: text('Delivery', 'DeliveryLocation', 'ID'),
      ...addressAt(root, 'Delivery', 'DeliveryLocation', 'Address'),
    }),
    tax_representative: party('TaxRepresentativeParty'),
    documents: listItems(root, maxItems, 'AdditionalDocumentReference').map((each) =>
      withoutEmpty({
        id: textAt(each, 'ID'),
        name: textAt(each, 'DocumentDescription|DocumentType'),
        address: textAt(each, 'Attachment', 'ExternalReference', 'URI'),
      }),
    ),
    payment: withoutEmpty({
      means: text('PaymentMeans', 'PaymentMeansCode'),
      further_ibans: textsAt(root, 'PaymentMeans', 'PayeeFinancialAccount', 'ID').slice(1),
      account_name: text('PaymentMeans', 'PayeeFinancialAccount', 'Name'),
      mandate: text('PaymentMeans', 'PaymentMandate', 'ID'),
      iban: text('PaymentMeans', 'PayeeFinancialAccount', 'ID'),
      bic:
        text('PaymentMeans', 'PayeeFinancialAccount', 'FinancialInstitutionBranch', 'FinancialInstitution', 'ID') ??
        text('PaymentMeans', 'PayeeFinancialAccount', 'FinancialInstitutionBranch', 'ID'),
      reference: text('PaymentMeans', 'PaymentID'),
      terms: text('PaymentTerms', 'Note'),
      discount_percent: text('PaymentTerms', 'SettlementDiscountPercent'),
    }),
    totals: withoutEmpty({
      lines: sum('LineExtensionAmount'),
      allowances: sum('AllowanceTotalAmount'),
      charges: sum('ChargeTotalAmount'),
      net: sum('TaxExclusiveAmount'),
      tax: text('TaxTotal', 'TaxAmount'),
      gross: sum('TaxInclusiveAmount'),
      prepaid: sum('PrepaidAmount'),
      rounding: sum('PayableRoundingAmount'),
      payable: sum('PayableAmount'),
    }),
    allowances: allowancesAt(root),
    taxes,
    lines,
    more_lines,
  });
}

/** The lines in their order, each followed by the lines of which it consists (an extension of XRechnung). */
function allLines(root: Element): Element[] {
  const found: Element[] = [];
  const waiting = listItems(root, Infinity, 'InvoiceLine|CreditNoteLine').toReversed();
  for (let line = waiting.pop(); line; line = waiting.pop()) {
    found.push(line);
    waiting.push(...listItems(line, Infinity, 'SubInvoiceLine|SubCreditNoteLine').toReversed());
  }
  return found;
}

function fullName(...parts: (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined).join(' ') || undefined;
}

function localName({ name }: Element): string {
  return name.slice(name.indexOf(':') + 1);
}

function addressAt(root: Element, ...path: string[]): Record<string, unknown> {
  const of = (...names: string[]) => textAt(root, ...path, ...names);
  return withoutEmpty({
    street: of('StreetName'),
    building_number: of('BuildingNumber'),
    building: of('BuildingName'),
    department: of('Department'),
    post_box: of('Postbox'),
    street_2: of('AdditionalStreetName'),
    street_3: of('AddressLine', 'Line'),
    postal_code: of('PostalZone'),
    city: of('CityName'),
    region: of('CountrySubentity') ?? of('CountrySubentityCode'),
    country: of('Country', 'IdentificationCode'),
  });
}

function periodAt(from: Element): Record<string, unknown> {
  return withoutEmpty({
    from: textAt(from, 'InvoicePeriod', 'StartDate'),
    to: textAt(from, 'InvoicePeriod', 'EndDate'),
  });
}

function allowancesAt(from: Element): Record<string, unknown>[] {
  return listItems(from, maxItems, 'AllowanceCharge').map((each) =>
    withoutEmpty({
      kind: textAt(each, 'ChargeIndicator') === 'true' ? 'charge' : 'allowance',
      amount: textAt(each, 'Amount'),
      basis: textAt(each, 'BaseAmount'),
      percent: textAt(each, 'MultiplierFactorNumeric'),
      reason: textAt(each, 'AllowanceChargeReason'),
      code: textAt(each, 'AllowanceChargeReasonCode'),
    }),
  );
}
