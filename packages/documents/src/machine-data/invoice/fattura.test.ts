import { expect, it } from 'vitest';
import { openXml } from '../../parsers/data/open-data.ts';
import { defaultParseLimits } from '../../reader/parse-limits.ts';
import { readInvoiceXml } from './invoice-xml.ts';

const attached = Buffer.from('%PDF-1.4\n'.repeat(400)).toString('base64');
const body = (number: string) => `<FatturaElettronicaBody>
<DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD01</TipoDocumento><Divisa>EUR</Divisa><Data>2026-03-14</Data><Numero>${number}</Numero>
<DatiRitenuta><TipoRitenuta>RT01</TipoRitenuta><ImportoRitenuta>20.00</ImportoRitenuta><AliquotaRitenuta>20.00</AliquotaRitenuta><CausalePagamento>A</CausalePagamento></DatiRitenuta>
<DatiCassaPrevidenziale><TipoCassa>TC01</TipoCassa><AlCassa>4.00</AlCassa><ImportoContributoCassa>4.00</ImportoContributoCassa></DatiCassaPrevidenziale>
<ImportoTotaleDocumento>127.60</ImportoTotaleDocumento><Causale>Consulenza</Causale></DatiGeneraliDocumento>
<DatiOrdineAcquisto><IdDocumento>O-9</IdDocumento><CodiceCUP>C1</CodiceCUP><CodiceCIG>G1</CodiceCIG></DatiOrdineAcquisto></DatiGenerali>
<DatiBeniServizi><DettaglioLinee><NumeroLinea>1</NumeroLinea><CodiceArticolo><CodiceTipo>EAN</CodiceTipo><CodiceValore>80</CodiceValore></CodiceArticolo><Descrizione>Consulenza</Descrizione><Quantita>2.00</Quantita><UnitaMisura>ORE</UnitaMisura><PrezzoUnitario>50.00000000</PrezzoUnitario><PrezzoTotale>100.00000000</PrezzoTotale><AliquotaIVA>22.00</AliquotaIVA></DettaglioLinee>
<DatiRiepilogo><AliquotaIVA>22.00</AliquotaIVA><ImponibileImporto>100.00</ImponibileImporto><Imposta>22.00</Imposta></DatiRiepilogo>
<DatiRiepilogo><AliquotaIVA>0.00</AliquotaIVA><Natura>N4</Natura><ImponibileImporto>5.6</ImponibileImporto><Imposta>0.00</Imposta><RiferimentoNormativo>Art. 10</RiferimentoNormativo></DatiRiepilogo></DatiBeniServizi>
<DatiPagamento><CondizioniPagamento>TP02</CondizioniPagamento><DettaglioPagamento><ModalitaPagamento>MP05</ModalitaPagamento><DataScadenzaPagamento>2026-04-13</DataScadenzaPagamento><ImportoPagamento>107.60</ImportoPagamento><IBAN>IT60X0542811101000000123456</IBAN></DettaglioPagamento></DatiPagamento>
<Allegati><NomeAttachment>R-7.pdf</NomeAttachment><FormatoAttachment>PDF</FormatoAttachment><Attachment>${attached}</Attachment></Allegati></FatturaElettronicaBody>`;
const fattura = (...numbers: string[]) => `<?xml version="1.0"?>
<p:FatturaElettronica versione="FPR12" xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2"><FatturaElettronicaHeader>
<DatiTrasmissione><FormatoTrasmissione>FPR12</FormatoTrasmissione><CodiceDestinatario>0000000</CodiceDestinatario><PECDestinatario>a@pec.example</PECDestinatario></DatiTrasmissione>
<CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567890</IdCodice></IdFiscaleIVA><CodiceFiscale>BNCMRA80A01D548T</CodiceFiscale><Anagrafica><Nome>Maria</Nome><Cognome>Bianchi</Cognome></Anagrafica></DatiAnagrafici><Sede><Indirizzo>Via Roma</Indirizzo><NumeroCivico>7</NumeroCivico><CAP>40100</CAP><Comune>Bologna</Comune><Provincia>BO</Provincia><Nazione>IT</Nazione></Sede></CedentePrestatore>
<CessionarioCommittente><DatiAnagrafici><CodiceFiscale>02345678901</CodiceFiscale><Anagrafica><Denominazione>Alfa S.r.l.</Denominazione></Anagrafica></DatiAnagrafici></CessionarioCommittente>
</FatturaElettronicaHeader>${numbers.map(body).join('')}</p:FatturaElettronica>`;

it('an invoice of Italy has its parties, sums, taxes, payment and lines with every digit', () => {
  expect(readInvoiceXml(fattura('R-7'))).toEqual([
    {
      kind: 'invoice_xml',
      profile: 'FatturaPA FPR12',
      data: {
        number: 'R-7',
        type_code: 'TD01',
        issue_date: '2026-03-14',
        due_date: '2026-04-13',
        currency: 'EUR',
        order_number: 'O-9',
        project: 'C1',
        tender_reference: 'G1',
        notes: ['Consulenza'],
        seller: {
          name: 'Maria Bianchi',
          vat_id: 'IT01234567890',
          tax_number: 'BNCMRA80A01D548T',
          street: 'Via Roma',
          building_number: '7',
          postal_code: '40100',
          city: 'Bologna',
          region: 'BO',
          country: 'IT',
        },
        buyer: { name: 'Alfa S.r.l.', tax_number: '02345678901', electronic_address: 'a@pec.example' },
        payment: { means: 'MP05', terms: 'TP02', iban: 'IT60X0542811101000000123456' },
        totals: { net: '105.60', tax: '22.00', gross: '127.60', payable: '107.60' },
        withholdings: [{ kind: 'RT01', amount: '20.00', percent: '20.00', reason: 'A' }],
        allowances: [{ kind: 'charge', amount: '4.00', percent: '4.00', code: 'TC01' }],
        taxes: [
          { rate: '22.00', basis: '100.00', amount: '22.00' },
          { rate: '0.00', basis: '5.6', amount: '0.00', exemption_code: 'N4', exemption_reason: 'Art. 10' },
        ],
        documents: [{ id: 'R-7.pdf' }],
        lines: [
          {
            id: '1',
            name: 'Consulenza',
            article_number: '80',
            quantity: '2.00',
            unit: 'ORE',
            unit_price: '50.00000000',
            tax_rate: '22.00',
            net: '100.00000000',
          },
        ],
      },
    },
  ]);
});

it('several invoices in one file are read each', () => {
  expect(readInvoiceXml(fattura('R-7', 'R-8')).map(({ data }) => data['number'])).toEqual(['R-7', 'R-8']);
});

it('invoices beyond the room of a record are left out', () => {
  const long = fattura('R-7').replace('<Descrizione>Consulenza', `<Descrizione>${'x'.repeat(1_900)}`);
  const [line] = /<DettaglioLinee>.*<\/DettaglioLinee>/su.exec(long)!;
  const [whole] = /<FatturaElettronicaBody>.*<\/FatturaElettronicaBody>/su.exec(long.replace(line, line.repeat(400)))!;
  expect(
    readInvoiceXml(long.replace(/<FatturaElettronicaBody>.*<\/FatturaElettronicaBody>/su, whole.repeat(9))),
  ).toHaveLength(2);
});

it('files inside of an XML are documents of their own, and their base64 is no text', async () => {
  const opened = await openXml(Buffer.from(fattura('R-7')), defaultParseLimits);
  const [file, ...more] = opened.files ?? [];
  expect([file?.name, Buffer.from(file!.bytes).toString('base64'), more]).toEqual(['R-7.pdf', attached, []]);
  const text = [...opened.pages].map((page) => page.text).join('\n');
  expect(text.replaceAll(/\s+/gu, ' ')).toContain('<Attachment>(the file R-7.pdf)</Attachment>');
  expect(text).not.toContain(attached.slice(0, 50));
  const certificate = `<ds:X509Certificate>${'MIIE'.repeat(700)}</ds:X509Certificate>`;
  const signed = await openXml(Buffer.from(`<a>${certificate}<Logo>${attached}</Logo></a>`), defaultParseLimits);
  expect([...(signed.files ?? [])].map(({ name }) => name)).toEqual(['file 1']);
  const prose = `<a><p>${'one word after the other '.repeat(200)}</p></a>`;
  expect((await openXml(Buffer.from(prose), defaultParseLimits)).files).toEqual([]);
});
