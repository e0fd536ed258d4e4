import type { MachineData } from '@docwright/contract';
import { invoice, linesOf, listItems, maxItems, textAt, textsAt, withoutEmpty, type Element } from './xml-values.ts';

/** The first invoices of a file are read, as many as have room in the record of a document: of all, and in characters. */
const maxInvoices = 50;
const maxCharacters = 2_000_000;
/** What stands for “no address in the exchange”: the invoice goes to the certified mailbox instead. */
const noAddress = /^(?:0+|X+)$/u;

/**
 * The invoices of a FatturaPA file of Italy (formats FPR and FPA; of the simplified FSM without its lines): each body has the
 * header's parties and its own values.
 */
export function readFattura(root: Element): MachineData[] {
  const header = listItems(root, 1, 'FatturaElettronicaHeader')[0] ?? root;
  const version = root.attribs['versione'] ?? textAt(header, 'DatiTrasmissione', 'FormatoTrasmissione');
  const address = textAt(header, 'DatiTrasmissione', 'CodiceDestinatario');
  const parties = {
    seller: partyAt(header, 'CedentePrestatore'),
    buyer: withoutEmpty({
      ...partyAt(header, 'CessionarioCommittente'),
      electronic_address:
        address === undefined || noAddress.test(address)
          ? textAt(header, 'DatiTrasmissione', 'PECDestinatario')
          : address,
    }),
    tax_representative: partyAt(header, 'RappresentanteFiscale'),
  };
  const profile = ['FatturaPA', ...(version === undefined ? [] : [version])].join(' ');
  const invoices: MachineData[] = [];
  let room = maxCharacters;
  for (const body of listItems(root, maxInvoices, 'FatturaElettronicaBody')) {
    const next = invoice(profile, { ...headOf(body), ...parties, ...contentOf(body) });
    room -= JSON.stringify(next).length;
    if (room < 0 && invoices.length > 0) break;
    invoices.push(next);
  }
  return invoices;
}

const general = ['DatiGenerali', 'DatiGeneraliDocumento'];

/** Numbers, dates and references. */
function headOf(body: Element): Record<string, unknown> {
  const of = (...path: string[]) => textAt(body, ...general, ...path);
  const referred = (...path: string[]) => textAt(body, 'DatiGenerali', ...path);
  return {
    number: of('Numero'),
    type_code: of('TipoDocumento'),
    issue_date: of('Data'),
    due_date: textAt(body, 'DatiPagamento', 'DettaglioPagamento', 'DataScadenzaPagamento'),
    delivery_date: referred('DatiTrasporto', 'DataOraConsegna')?.slice(0, 10),
    currency: of('Divisa'),
    order_number: referred('DatiOrdineAcquisto', 'IdDocumento'),
    contract_number: referred('DatiContratto', 'IdDocumento'),
    delivery_note: referred('DatiDDT', 'NumeroDDT'),
    project: referred('DatiOrdineAcquisto|DatiContratto|DatiConvenzione', 'CodiceCUP'),
    tender_reference: referred('DatiOrdineAcquisto|DatiContratto|DatiConvenzione', 'CodiceCIG'),
    preceding_invoice:
      referred('DatiFattureCollegate', 'IdDocumento') ?? referred('FatturaPrincipale', 'NumeroFatturaPrincipale'),
    notes: textsAt(body, ...general, 'Causale'),
  };
}

/** Payment, sums, taxes and lines. */
function contentOf(body: Element): Record<string, unknown> {
  const of = (...path: string[]) => textAt(body, ...general, ...path);
  const payments = listItems(body, maxItems, 'DatiPagamento', 'DettaglioPagamento');
  const [payment] = payments;
  const paid = (name: string) => payment && textAt(payment, name);
  const summaries = listItems(body, maxItems, 'DatiBeniServizi', 'DatiRiepilogo');
  const { lines, more_lines } = linesOf(listItems(body, Infinity, 'DatiBeniServizi', 'DettaglioLinee'), readLine);
  const instalments = payments.map((each) =>
    withoutEmpty({
      due_date: textAt(each, 'DataScadenzaPagamento'),
      amount: textAt(each, 'ImportoPagamento'),
      means: textAt(each, 'ModalitaPagamento'),
      iban: textAt(each, 'IBAN'),
    }),
  );
  return {
    payment: withoutEmpty({
      means: paid('ModalitaPagamento'),
      terms: textAt(body, 'DatiPagamento', 'CondizioniPagamento'),
      account_name: paid('Beneficiario'),
      bank: paid('IstitutoFinanziario'),
      iban: paid('IBAN'),
      bic: paid('BIC'),
      reference: paid('CodicePagamento'),
      ...(instalments.length > 1 && { instalments }),
    }),
    totals: withoutEmpty({
      net: sumOf(summaries, 'ImponibileImporto'),
      tax: sumOf(summaries, 'Imposta'),
      gross: of('ImportoTotaleDocumento'),
      rounding: of('Arrotondamento'),
      stamp_duty: of('DatiBollo', 'ImportoBollo'),
      // Several can be instalments or ways to pay the same amount: the file does not say which.
      payable: payments.length === 1 ? paid('ImportoPagamento') : undefined,
    }),
    withholdings: listItems(body, maxItems, ...general, 'DatiRitenuta').map((each) =>
      withoutEmpty({
        kind: textAt(each, 'TipoRitenuta'),
        amount: textAt(each, 'ImportoRitenuta'),
        percent: textAt(each, 'AliquotaRitenuta'),
        reason: textAt(each, 'CausalePagamento'),
      }),
    ),
    allowances: [
      ...allowancesAt(body, ...general),
      ...listItems(body, maxItems, ...general, 'DatiCassaPrevidenziale').map((each) =>
        withoutEmpty({
          kind: 'charge',
          amount: textAt(each, 'ImportoContributoCassa'),
          basis: textAt(each, 'ImponibileCassa'),
          percent: textAt(each, 'AlCassa'),
          code: textAt(each, 'TipoCassa'),
        }),
      ),
    ],
    taxes: summaries.map((each) =>
      withoutEmpty({
        rate: textAt(each, 'AliquotaIVA'),
        basis: textAt(each, 'ImponibileImporto'),
        amount: textAt(each, 'Imposta'),
        exemption_code: textAt(each, 'Natura'),
        exemption_reason: textAt(each, 'RiferimentoNormativo'),
      }),
    ),
    documents: listItems(body, maxItems, 'Allegati').map((each) =>
      withoutEmpty({ id: textAt(each, 'NomeAttachment'), name: textAt(each, 'DescrizioneAttachment') }),
    ),
    lines,
    more_lines,
  };
}

function readLine(line: Element): Record<string, unknown> {
  return withoutEmpty({
    id: textAt(line, 'NumeroLinea'),
    name: textAt(line, 'Descrizione'),
    article_number: textAt(line, 'CodiceArticolo', 'CodiceValore'),
    attributes: listItems(line, maxItems, 'AltriDatiGestionali').map((each) =>
      withoutEmpty({
        name: textAt(each, 'TipoDato'),
        value: textAt(each, 'RiferimentoTesto') ?? textAt(each, 'RiferimentoNumero') ?? textAt(each, 'RiferimentoData'),
      }),
    ),
    period: withoutEmpty({ from: textAt(line, 'DataInizioPeriodo'), to: textAt(line, 'DataFinePeriodo') }),
    quantity: textAt(line, 'Quantita'),
    unit: textAt(line, 'UnitaMisura'),
    unit_price: textAt(line, 'PrezzoUnitario'),
    allowances: allowancesAt(line),
    tax_rate: textAt(line, 'AliquotaIVA'),
    exemption_code: textAt(line, 'Natura'),
    net: textAt(line, 'PrezzoTotale'),
  });
}

/** The simplified format has the fields of a party without the elements around them. */
function partyAt(header: Element, role: string): Record<string, unknown> {
  const of = (...path: string[]) =>
    textAt(header, role, 'DatiAnagrafici', ...path) ??
    textAt(header, role, ...path) ??
    textAt(header, role, 'IdentificativiFiscali|AltriDatiIdentificativi', ...path);
  const person = [of('Anagrafica', 'Nome') ?? of('Nome'), of('Anagrafica', 'Cognome') ?? of('Cognome')];
  const seat = (name: string) =>
    textAt(header, role, 'Sede', name) ?? textAt(header, role, 'AltriDatiIdentificativi', 'Sede', name);
  return withoutEmpty({
    name: of('Anagrafica', 'Denominazione') ?? of('Denominazione') ?? joined(' ', ...person),
    vat_id: joined('', of('IdFiscaleIVA', 'IdPaese'), of('IdFiscaleIVA', 'IdCodice')),
    tax_number: of('CodiceFiscale'),
    legal_id: joined(' ', of('IscrizioneREA', 'Ufficio'), of('IscrizioneREA', 'NumeroREA')),
    contact: withoutEmpty({
      phone: of('Contatti', 'Telefono'),
      fax: of('Contatti', 'Fax'),
      email: of('Contatti', 'Email'),
    }),
    street: seat('Indirizzo'),
    building_number: seat('NumeroCivico'),
    postal_code: seat('CAP'),
    city: seat('Comune'),
    region: seat('Provincia'),
    country: seat('Nazione'),
  });
}

function allowancesAt(from: Element, ...path: string[]): Record<string, unknown>[] {
  return listItems(from, maxItems, ...path, 'ScontoMaggiorazione').map((each) =>
    withoutEmpty({
      kind: textAt(each, 'Tipo') === 'MG' ? 'charge' : 'allowance',
      amount: textAt(each, 'Importo'),
      percent: textAt(each, 'Percentuale'),
    }),
  );
}

function joined(between: string, ...parts: (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined).join(between) || undefined;
}

/** The exact sum of an amount; undefined if one of them is absent or is not a number. The file has no sum of its own. */
function sumOf(all: readonly Element[], name: string): string | undefined {
  const amounts = all.map((each) => /^(-?)(\d{1,30})(?:\.(\d{1,10}))?$/u.exec(textAt(each, name) ?? ''));
  if (amounts.length === 0 || amounts.includes(null)) return undefined;
  const places = Math.max(...amounts.map((found) => found![3]?.length ?? 0));
  const sum = amounts.reduce((before, found) => {
    const [, sign, whole, part = ''] = found!;
    return before + BigInt(`${sign}${whole}${part.padEnd(places, '0')}`);
  }, 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return sum < 0n ? `-${text}` : text;
}
