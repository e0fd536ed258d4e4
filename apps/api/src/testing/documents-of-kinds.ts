/** A generated document and its kind. */
export interface DocumentOfKind {
  name: string;
  text: string;
  /** What a person would call it; equal for documents of one kind. */
  kind: string;
  issuer: string;
}

const pick = <Value>(values: readonly Value[], at: number): Value => values[at % values.length]!;
const amount = (cents: number, language: 'en' | 'de' | 'fr') => {
  const text = (cents / 100).toFixed(2);
  return language === 'en' ? text.replace(/\B(?=(\d{3})+(?!\d))/gu, ',') : text.replace('.', ',');
};
const day = (at: number) => String(1 + (at % 28)).padStart(2, '0');
const month = (at: number) => String(1 + (at % 12)).padStart(2, '0');

const goods = {
  en: ['Steel bolts', 'Copper wire', 'Oak boards', 'Wall paint', 'Roof tiles', 'Door handles'],
  de: ['Stahlschrauben', 'Kupferdraht', 'Eichenbretter', 'Wandfarbe', 'Dachziegel', 'Türgriffe'],
  fr: ['Boulons en acier', 'Fil de cuivre', 'Planches de chêne', 'Peinture murale', 'Tuiles', 'Poignées de porte'],
};
const buyers = ['Harrow Stores', 'Tilbury Works', 'Ashford Supplies', 'Kestrel Homes', 'Marlow Interiors'];
const people = ['Ada Lindgren', 'Ben Okafor', 'Clara Moreau', 'David Novak', 'Elena Rossi', 'Farid Haddad'];

function rowsOf(at: number, language: 'en' | 'de' | 'fr'): { lines: string; total: number } {
  const rows = Array.from({ length: 1 + (at % 3) }, (_, row) => {
    const quantity = 1 + ((at + row) % 9);
    const price = 450 + 125 * ((at * 3 + row) % 17);
    return { name: pick(goods[language], at + row), quantity, price, sum: quantity * price };
  });
  const lines = rows
    .map(
      ({ name, quantity, price, sum }) =>
        `${name.padEnd(24)}${String(quantity).padEnd(10)}${amount(price, language).padEnd(14)}${amount(sum, language)}`,
    )
    .join('\n');
  return { lines, total: rows.reduce((sum, row) => sum + row.sum, 0) };
}

function englishInvoice(at: number): DocumentOfKind {
  const { lines, total } = rowsOf(at, 'en');
  const vat = Math.round(total / 5);
  const text = `INVOICE
Contoso Ltd
12 Harbour Road, London E1 6AN
billing@contoso.example

Bill to: ${pick(buyers, at)}
Invoice number: INV-${1000 + at}
Invoice date: 2026-${month(at)}-${day(at)}
Due date: 2026-${month(at + 1)}-${day(at)}

Description             Quantity  Unit price    Amount
${lines}

Subtotal: ${amount(total, 'en')}
VAT 20%: ${amount(vat, 'en')}
Total: EUR ${amount(total + vat, 'en')}

Please pay within 30 days.
VAT ID: GB123456789
`;
  return { name: `scan-${7000 + at}.txt`, text, kind: 'Invoice', issuer: 'Contoso' };
}

function germanInvoice(at: number): DocumentOfKind {
  const { lines, total } = rowsOf(at, 'de');
  const vat = Math.round(total * 0.19);
  const text = `RECHNUNG
Nordwind GmbH
Hafenstraße 4, 20457 Hamburg
kontakt@nordwind.example

Rechnung an: ${pick(buyers, at)}
Rechnungsnummer: R-${5000 + at}
Rechnungsdatum: ${day(at)}.${month(at)}.2026
Zahlbar bis: ${day(at)}.${month(at + 1)}.2026

Bezeichnung             Menge     Einzelpreis   Betrag
${lines}

Zwischensumme: ${amount(total, 'de')}
MwSt 19%: ${amount(vat, 'de')}
Gesamtbetrag: EUR ${amount(total + vat, 'de')}

Bitte überweisen Sie den Betrag innerhalb von 30 Tagen.
USt-IdNr.: DE123456789
`;
  return { name: `nw_${at}.txt`, text, kind: 'Invoice', issuer: 'Nordwind' };
}

function frenchInvoice(at: number): DocumentOfKind {
  const { lines, total } = rowsOf(at, 'fr');
  const vat = Math.round(total / 5);
  const text = `FACTURE
Fabrikam SARL
8 rue du Port, 33000 Bordeaux
contact@fabrikam.example

Facturé à: ${pick(buyers, at)}
Numéro de facture: F-${300 + at}
Date de facture: ${day(at)}/${month(at)}/2026
Échéance: ${day(at)}/${month(at + 1)}/2026

Désignation             Quantité  Prix unitaire Montant
${lines}

Total HT: ${amount(total, 'fr')}
TVA 20%: ${amount(vat, 'fr')}
Total TTC: EUR ${amount(total + vat, 'fr')}

Merci de régler sous 30 jours.
TVA intracommunautaire: FR12345678901
`;
  return { name: `facture ${at}.txt`, text, kind: 'Invoice', issuer: 'Fabrikam' };
}

function receipt(at: number): DocumentOfKind {
  const sum = 300 + 35 * (at % 40);
  const text = `CORNER CAFE
5 Market Square, Leeds LS1 4DT
Tel 0113 496 0000

RECEIPT
Receipt number: ${90000 + at}
Date: 2026-${month(at)}-${day(at)}
Cashier: ${pick(people, at).split(' ')[0]}

${pick(['Flat white', 'Green tea', 'Orange juice'], at).padEnd(24)}${amount(sum - 150, 'en')}
${pick(['Croissant', 'Scone', 'Banana bread'], at).padEnd(24)}1.50

Subtotal: ${amount(sum, 'en')}
Total: ${amount(sum, 'en')}
Cash: ${amount(sum + 100, 'en')}
Change: 1.00

Thank you for your visit!
`;
  return { name: `IMG_${2200 + at}.txt`, text, kind: 'Receipt', issuer: 'Corner Cafe' };
}

function form(at: number): DocumentOfKind {
  const text = `MEMBERSHIP APPLICATION FORM
Harbour Sports Club
Quay Street 9, Bristol BS1 4AA

Full name: ${pick(people, at)}
Date of birth: 19${60 + (at % 40)}-${month(at)}-${day(at)}
Phone number: 0117 496 0${100 + at}
E-mail: ${pick(people, at).split(' ')[0]!.toLowerCase()}${at}@mail.example
Member ID: M-${400 + at}
Postal code: BS${1 + (at % 9)} 4AA

I apply for membership of the club and accept its rules.
Signature: ${pick(people, at)}
`;
  return { name: `form${at}.txt`, text, kind: 'Membership application form', issuer: 'Harbour Sports Club' };
}

function contract(at: number): DocumentOfKind {
  const tenant = pick(people, at);
  const text = `RENTAL AGREEMENT

This agreement is made by and between Wingate Estates Ltd, 3 Castle Lane, York YO1 9RL, hereinafter the landlord,
and ${tenant}, hereinafter the tenant.

Effective date: 2026-${month(at)}-01
End date: 2027-${month(at)}-01

1. The landlord lets the flat number ${1 + (at % 60)} at Castle Lane to the tenant for the term of twelve months.
2. The monthly rent is EUR ${amount(70000 + 2500 * (at % 20), 'en')} and shall be paid by the third day of each month.
3. The tenant shall keep the flat in good repair and shall not sublet it without written consent of the landlord.
4. The landlord shall insure the building and repair the roof, the walls and the heating.
5. This agreement is governed by the laws of England and Wales.

In witness whereof the parties hereby sign.
Wingate Estates Ltd                 ${tenant}
`;
  return { name: `agreement ${tenant} ${at}.txt`, text, kind: 'Contract', issuer: 'Wingate Estates' };
}

const makers = [englishInvoice, germanInvoice, frenchInvoice, receipt, form, contract];

/**
 * Generates documents of four kinds in a fixed mixed order: invoices of three issuers in three languages, receipts, a
 * form and contracts. No file name reveals its kind.
 */
export function documentsOfKinds(count: number): DocumentOfKind[] {
  const documents = Array.from({ length: count }, (_, at) => pick(makers, at)(Math.floor(at / makers.length) * 7 + at));
  // Mixed by a fixed stride, so that neighbours are sometimes of different kinds and sometimes of the same.
  const stride = [7, 11, 13, 17, 19].find((candidate) => count % candidate !== 0) ?? 1;
  return Array.from({ length: count }, (_, at) => documents[(at * stride) % count]!);
}
