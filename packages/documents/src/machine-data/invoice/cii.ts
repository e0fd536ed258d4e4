import type { MachineData } from '@docwright/contract';
import {
  dateOf,
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

/** `|` separates names that differ between the versions. */
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

/** The values of a Cross Industry Invoice. */
export function readCii(root: Element): MachineData {
  const text = (...path: string[]): string | undefined => textAt(root, ...path);
  const inAgreement = (...path: string[]) => text(cii.transaction, cii.agreement, ...path);
  const inSettlement = (...path: string[]) => text(cii.transaction, cii.settlement, ...path);
  const sum = (name: string) => inSettlement(cii.sums, name);
  const means = 'SpecifiedTradeSettlementPaymentMeans';
  const party = (name: string, part: string = cii.agreement) => {
    const of = (...path: string[]) => text(cii.transaction, part, name, ...path);
    const registrations = listItems(root, 20, cii.transaction, part, name, 'SpecifiedTaxRegistration');
    const vat = registrations.find((each) => schemeOf(each) === 'VA');
    const tax = registrations.find((each) => schemeOf(each) === 'FC');
    return withoutEmpty({
      name: of('Name'),
      vat_id: vat && textAt(vat, 'ID'),
      tax_number: tax && textAt(tax, 'ID'),
      id: of('ID|GlobalID'),
      legal_id: of('SpecifiedLegalOrganization', 'ID'),
      trading_name: of('SpecifiedLegalOrganization', 'TradingBusinessName'),
      electronic_address: of('URIUniversalCommunication', 'URIID'),
      contact: withoutEmpty({
        name: of('DefinedTradeContact', 'PersonName|DepartmentName'),
        phone: of('DefinedTradeContact', 'TelephoneUniversalCommunication', 'CompleteNumber'),
        fax: of('DefinedTradeContact', 'FaxUniversalCommunication', 'CompleteNumber'),
        email: of('DefinedTradeContact', 'EmailURIUniversalCommunication', 'URIID'),
      }),
      street: of('PostalTradeAddress', 'LineOne'),
      street_2: of('PostalTradeAddress', 'LineTwo'),
      street_3: of('PostalTradeAddress', 'LineThree'),
      postal_code: of('PostalTradeAddress', 'PostcodeCode'),
      city: of('PostalTradeAddress', 'CityName'),
      region: of('PostalTradeAddress', 'CountrySubDivisionName'),
      country: of('PostalTradeAddress', 'CountryID'),
      description: of('Description'),
    });
  };
  const taxes = listItems(root, maxItems, cii.transaction, cii.settlement, 'ApplicableTradeTax').map((tax) =>
    withoutEmpty({
      rate: textAt(tax, cii.percent),
      category: textAt(tax, 'CategoryCode'),
      basis: textAt(tax, 'BasisAmount'),
      amount: textAt(tax, 'CalculatedAmount'),
      exemption_reason: textAt(tax, 'ExemptionReason'),
      exemption_code: textAt(tax, 'ExemptionReasonCode'),
    }),
  );
  const { lines, more_lines } = linesOf(listItems(root, Infinity, cii.transaction, cii.line), (line) =>
    withoutEmpty({
      id: textAt(line, 'AssociatedDocumentLineDocument', 'LineID'),
      parent_id: textAt(line, 'AssociatedDocumentLineDocument', 'ParentLineID'),
      note: textAt(line, 'AssociatedDocumentLineDocument', 'IncludedNote', 'Content'),
      name: textAt(line, 'SpecifiedTradeProduct', 'Name'),
      description: textAt(line, 'SpecifiedTradeProduct', 'Description'),
      article_number: textAt(line, 'SpecifiedTradeProduct', 'SellerAssignedID'),
      buyer_article_number: textAt(line, 'SpecifiedTradeProduct', 'BuyerAssignedID'),
      standard_number: textAt(line, 'SpecifiedTradeProduct', 'GlobalID'),
      attributes: listItems(line, maxItems, 'SpecifiedTradeProduct', 'ApplicableProductCharacteristic').map((each) =>
        withoutEmpty({ name: textAt(each, 'Description'), value: textAt(each, 'Value') }),
      ),
      period: periodAt(line, cii.lineSettlement),
      allowances: allowancesAt(line, cii.lineSettlement),
      quantity: textAt(line, cii.lineDelivery, 'BilledQuantity'),
      unit: unitAt(line, cii.lineDelivery, 'BilledQuantity'),
      unit_price: textAt(line, cii.lineAgreement, 'NetPriceProductTradePrice', 'ChargeAmount'),
      gross_price: textAt(line, cii.lineAgreement, 'GrossPriceProductTradePrice', 'ChargeAmount'),
      discount: textAt(
        line,
        cii.lineAgreement,
        'GrossPriceProductTradePrice',
        'AppliedTradeAllowanceCharge',
        'ActualAmount',
      ),
      classification: textAt(line, 'SpecifiedTradeProduct', 'DesignatedProductClassification', 'ClassCode'),
      order_line: textAt(line, cii.lineAgreement, 'BuyerOrderReferencedDocument', 'LineID'),
      booking_reference: textAt(line, cii.lineSettlement, 'ReceivableSpecifiedTradeAccountingAccount', 'ID'),
      tax_rate: textAt(line, cii.lineSettlement, 'ApplicableTradeTax', cii.percent),
      net: textAt(line, cii.lineSettlement, cii.lineSums, 'LineTotalAmount'),
    }),
  );
  const occurrence = ['ActualDeliverySupplyChainEvent', 'OccurrenceDateTime', 'DateTimeString'];
  return invoice(text(cii.context, 'GuidelineSpecifiedDocumentContextParameter', 'ID'), {
    number: text(cii.document, 'ID'),
    type_code: text(cii.document, 'TypeCode'),
    issue_date: dateOf(text(cii.document, 'IssueDateTime', 'DateTimeString')),
    tax_date: dateOf(inSettlement('ApplicableTradeTax', 'TaxPointDate', 'DateString')),
    due_date: dateOf(inSettlement('SpecifiedTradePaymentTerms', 'DueDateDateTime', 'DateTimeString')),
    delivery_date: dateOf(text(cii.transaction, cii.delivery, ...occurrence)),
    currency: inSettlement('InvoiceCurrencyCode'),
    buyer_reference: inAgreement('BuyerReference'),
    order_number: inAgreement('BuyerOrderReferencedDocument', 'IssuerAssignedID|ID'),
    sales_order_number: inAgreement('SellerOrderReferencedDocument', 'IssuerAssignedID|ID'),
    project: inAgreement('SpecifiedProcuringProject', 'ID'),
    booking_reference: inSettlement('ReceivableSpecifiedTradeAccountingAccount', 'ID'),
    contract_number: inAgreement('ContractReferencedDocument', 'IssuerAssignedID|ID'),
    preceding_invoice: inSettlement('InvoiceReferencedDocument', 'IssuerAssignedID|ID'),
    period: periodAt(root, cii.transaction, cii.settlement),
    notes: textsAt(root, cii.document, 'IncludedNote', 'Content'),
    seller: party('SellerTradeParty'),
    buyer: party('BuyerTradeParty'),
    payee: party('PayeeTradeParty', cii.settlement),
    ship_to: party('ShipToTradeParty', cii.delivery),
    tax_representative: party('SellerTaxRepresentativeTradeParty'),
    documents: listItems(root, maxItems, cii.transaction, cii.agreement, 'AdditionalReferencedDocument').map((each) =>
      withoutEmpty({
        id: textAt(each, 'IssuerAssignedID|ID'),
        name: textAt(each, 'Name'),
        address: textAt(each, 'URIID'),
      }),
    ),
    payment: withoutEmpty({
      means: inSettlement(means, 'TypeCode'),
      information: inSettlement(means, 'Information'),
      further_ibans: textsAt(
        root,
        cii.transaction,
        cii.settlement,
        means,
        'PayeePartyCreditorFinancialAccount',
        'IBANID',
      ).slice(1),
      account_name: inSettlement(means, 'PayeePartyCreditorFinancialAccount', 'AccountName'),
      account: inSettlement(means, 'PayeePartyCreditorFinancialAccount', 'ProprietaryID'),
      mandate: inSettlement('SpecifiedTradePaymentTerms', 'DirectDebitMandateID'),
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
      rounding: sum('RoundingAmount'),
      payable: sum('DuePayableAmount'),
    }),
    allowances: allowancesAt(root, cii.transaction, cii.settlement),
    taxes,
    lines,
    more_lines,
  });
}

function periodAt(from: Element, ...path: string[]): Record<string, unknown> {
  const at = (end: string) => dateOf(textAt(from, ...path, 'BillingSpecifiedPeriod', end, 'DateTimeString'));
  return withoutEmpty({ from: at('StartDateTime'), to: at('EndDateTime') });
}

function allowancesAt(from: Element, ...path: string[]): Record<string, unknown>[] {
  return listItems(from, maxItems, ...path, 'SpecifiedTradeAllowanceCharge').map((each) =>
    withoutEmpty({
      kind: textAt(each, 'ChargeIndicator', 'Indicator') === 'true' ? 'charge' : 'allowance',
      amount: textAt(each, 'ActualAmount'),
      basis: textAt(each, 'BasisAmount'),
      percent: textAt(each, 'CalculationPercent'),
      reason: textAt(each, 'Reason'),
      code: textAt(each, 'ReasonCode'),
    }),
  );
}

function schemeOf(registration: Element): string | undefined {
  const [id] = listItems(registration, 1, 'ID');
  return id?.attribs['schemeID'];
}
