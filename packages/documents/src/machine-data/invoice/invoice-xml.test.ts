import { describe, expect, it } from 'vitest';
import { openXml } from '../../parsers/data/open-data.ts';
import { openPdf } from '../../pdf/open-pdf.ts';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { buildPdf, firstExtraObject, line, stream } from '../../testing/build-pdf.ts';
import { readInvoiceXml } from './invoice-xml.ts';

const cii = `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:ram" xmlns:udt="urn:udt">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>R-7</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20260314</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>Chair &amp; desk</ram:Name></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>10.0000</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">2.0000</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>20.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>
<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Seller GmbH</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="FC">12/3</ram:ID></ram:SpecifiedTaxRegistration><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty></ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:GrandTotalAmount>23.80</ram:GrandTotalAmount><ram:DuePayableAmount>9007199254740993.80</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;

const ubl = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cbc="urn:cbc" xmlns:cac="urn:cac">
<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID><cbc:ID>U-1</cbc:ID><cbc:IssueDate>2026-03-14</cbc:IssueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
<cac:AccountingSupplierParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>NL1</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Seller BV</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">2.10</cbc:TaxAmount></cac:TaxTotal>
<cac:LegalMonetaryTotal><cbc:TaxInclusiveAmount>12.10</cbc:TaxInclusiveAmount><cbc:PayableAmount>12.10</cbc:PayableAmount></cac:LegalMonetaryTotal>
<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity unitCode="EA">1</cbc:InvoicedQuantity><cbc:LineExtensionAmount>10.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Lamp</cbc:Name></cac:Item></cac:InvoiceLine></Invoice>`;

const only = (xml: string) => readInvoiceXml(xml)[0];

describe('an electronic invoice', () => {
  it('as Cross Industry Invoice has its values with every digit', () => {
    expect(only(cii)).toEqual({
      kind: 'invoice_xml',
      profile: 'urn:cen.eu:en16931:2017',
      data: {
        number: 'R-7',
        type_code: '380',
        issue_date: '2026-03-14',
        currency: 'EUR',
        seller: { name: 'Seller GmbH', vat_id: 'DE123', tax_number: '12/3' },
        totals: { gross: '23.80', payable: '9007199254740993.80' },
        lines: [
          {
            id: '1',
            name: 'Chair & desk',
            quantity: '2.0000',
            unit: 'C62',
            unit_price: '10.0000',
            tax_rate: '19.00',
            net: '20.00',
          },
        ],
      },
    });
  });

  it('in the envelope of a network is the same', () => {
    const header =
      '<StandardBusinessDocumentHeader><HeaderVersion>1.0</HeaderVersion></StandardBusinessDocumentHeader>';
    const sent = `<StandardBusinessDocument>${header}${ubl}</StandardBusinessDocument>`;
    expect(readInvoiceXml(sent)).toEqual(readInvoiceXml(ubl));
  });

  it('as UBL too', () => {
    expect(only(ubl)?.data).toEqual({
      number: 'U-1',
      issue_date: '2026-03-14',
      currency: 'EUR',
      seller: { name: 'Seller BV', vat_id: 'NL1' },
      totals: { tax: '2.10', gross: '12.10', payable: '12.10' },
      lines: [{ id: '1', name: 'Lamp', quantity: '1', unit: 'EA', net: '10.00' }],
    });
  });

  it('alone and inside of a PDF is read, and then not named as unread', async () => {
    expect((await openXml(Buffer.from(cii), defaultParseLimits)).machineData).toHaveLength(1);
    const names = (file: string) => ({
      catalog: `/Names << /EmbeddedFiles << /Names [(${file}) << /Type /Filespec /F (${file}) /EF << /F ${firstExtraObject} 0 R >> >>] >> >>`,
      pages: [{ content: line('Invoice', 72, 700) }],
    });
    const withInvoice = await openPdf(
      buildPdf({ ...names('factur-x.xml'), extra: [stream(ubl, '/Type /EmbeddedFile')] }),
      defaultParseLimits,
    );
    expect(withInvoice).toMatchObject({ unread: [], machineData: [{ data: { number: 'U-1' } }] });
    const other = await openPdf(
      buildPdf({ ...names('data.xml'), extra: [stream('<data/>', '/Type /EmbeddedFile')] }),
      defaultParseLimits,
    );
    expect(other).toMatchObject({ unread: [{ kind: 'embedded_file', name: 'data.xml' }], machineData: [] });
  });

  it.each([
    ['other XML', '<Invoice><ID>1</ID></Invoice>'],
    ['no XML', 'Invoice 5'],
    ['nothing', ''],
    ['a cut file', cii.slice(0, 40)],
  ])('is not found in %s', (_, xml) => {
    expect(readInvoiceXml(xml)).toEqual([]);
  });

  it('with elements without end is read as far as it goes', () => {
    expect(only(cii.slice(0, cii.indexOf('<rsm:SupplyChain')))?.data).toMatchObject({ number: 'R-7' });
    expect(only(`<rsm:CrossIndustryInvoice>${'<a>'.repeat(50_000)}`)?.data).toEqual({});
  });

  it('has its allowances, periods, notes and contacts, and lines of lines', () => {
    const whole = ubl
      .replace(
        '<cac:TaxTotal>',
        '<cbc:Note>Thank you</cbc:Note><cac:InvoicePeriod><cbc:StartDate>2026-03-01</cbc:StartDate></cac:InvoicePeriod><cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Freight</cbc:AllowanceChargeReason><cbc:Amount>3.00</cbc:Amount></cac:AllowanceCharge><cac:TaxTotal>',
      )
      .replace(
        '</cac:InvoiceLine>',
        '<cac:SubInvoiceLine><cbc:ID>1.1</cbc:ID><cbc:LineExtensionAmount>4.00</cbc:LineExtensionAmount></cac:SubInvoiceLine></cac:InvoiceLine>',
      )
      .replace(
        '<cac:PartyLegalEntity>',
        '<cac:Contact><cbc:ElectronicMail>a@b.example</cbc:ElectronicMail></cac:Contact><cac:Person><cbc:FirstName>An</cbc:FirstName><cbc:FamilyName>Vos</cbc:FamilyName></cac:Person><cac:PostalAddress><cbc:BuildingNumber>7a</cbc:BuildingNumber><cbc:CityName>Delft</cbc:CityName></cac:PostalAddress><cac:PartyLegalEntity>',
      );
    expect(only(whole)?.data).toMatchObject({
      notes: ['Thank you'],
      period: { from: '2026-03-01' },
      seller: { contact: { name: 'An Vos', email: 'a@b.example' }, building_number: '7a', city: 'Delft' },
      allowances: [{ kind: 'charge', reason: 'Freight', amount: '3.00' }],
      lines: [{ id: '1' }, { id: '1.1', parent_id: '1', net: '4.00' }],
    });
  });

  it('with more lines than are listed says how many are not', () => {
    const [line] = /<cac:InvoiceLine>.*<\/cac:InvoiceLine>/su.exec(ubl)!;
    const { data } = only(ubl.replace(line, line.repeat(507)))!;
    expect([(data['lines'] as unknown[]).length, data['more_lines']]).toEqual([500, 7]);
    const long = line.replace('Lamp', 'L'.repeat(2_000_000));
    const { data: bounded } = only(ubl.replace(line, long.repeat(3)))!;
    expect(JSON.stringify(bounded).length).toBeLessThan(10_000);
  });
});
