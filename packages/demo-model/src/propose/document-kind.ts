import { labelPattern } from '../fill/labels/label.ts';
import type { DocumentText } from '../page/document-text.ts';
import { fold } from '../page/fold.ts';

export type DocumentKind = 'invoice' | 'receipt' | 'contract' | 'letter' | 'lab_report' | 'form' | 'report';

/** The kind in words. */
export function kindName(kind: DocumentKind): string {
  if (kind === 'report') return 'document';
  return kind === 'lab_report' ? 'laboratory report' : kind;
}

interface KindLabels {
  kind: DocumentKind;
  /** Words that identify the kind in the first lines. */
  title: RegExp;
  /** Words that are common in documents of this kind. */
  words: RegExp;
}

/** Languages: en, de, fr, it, es, nl. */
const kindLabels: readonly KindLabels[] = [
  {
    kind: 'invoice',
    title: labelPattern([
      String.raw`\p{L}*invoice`,
      String.raw`\p{L}*rechnung(?:s ?n\p{L}+)?`,
      'facture',
      'factuur(?:nummer)?',
      'fattura',
      'factura',
      'bill',
      'statement',
    ]),
    words: labelPattern([
      'invoice',
      'bill to',
      'bill date',
      'account number',
      'total to pay',
      'direct debit',
      'due date',
      'payment terms',
      'amount due',
      'rechnungsnummer',
      'rechnungs nr',
      'rechnungsdatum',
      'ust id nr',
      'mwst',
      'zahlungsbedingungen',
      'tva',
      'total ttc',
      "date d'echeance",
      'iva',
      'imponibile',
      'scadenza',
      'base imponible',
      'vencimiento',
      'btw',
      'factuurdatum',
      'vervaldatum',
      'iban',
      'vat',
    ]),
  },
  {
    kind: 'receipt',
    title: labelPattern([
      'receipt',
      'cash bill',
      'quittung',
      'kassenbon',
      'ticket',
      'scontrino',
      'recibo',
      'kassabon',
      'bon',
    ]),
    words: labelPattern([
      'receipt',
      'cash',
      'change',
      'cashier',
      'server',
      'thank you',
      'gst',
      'table',
      'rounding',
      'tip',
      'subtotal',
      'visa',
      'mastercard',
      'sales tax',
      'total',
    ]),
  },
  {
    kind: 'contract',
    title: labelPattern([String.raw`\p{L}*agreement`, 'contract', String.raw`\p{L}*vertrag`, 'contrat', 'lease']),
    words: labelPattern([
      'hereinafter',
      'hereby',
      'party',
      'parties',
      'governing law',
      'governed by',
      'whereas',
      'witness whereof',
      'shall',
      'by and between',
      'effective date',
      'term',
    ]),
  },
  {
    kind: 'letter',
    title: labelPattern(['from', 'subject', 'betreff', 'dear', 'sehr geehrte']),
    words: labelPattern([
      'dear',
      'sincerely',
      'kind regards',
      'best regards',
      'yours',
      'from',
      'to',
      'subject',
      'sent',
      'cc',
      'sehr geehrte',
      'mit freundlichen grussen',
      'madame',
      'cordialement',
    ]),
  },
  {
    kind: 'lab_report',
    title: labelPattern([
      String.raw`(?:medical |clinical )?laborator(?:y|ies)`,
      'lab report',
      'test report',
      'labor',
      'pathology',
    ]),
    words: labelPattern([
      'reference range',
      'reference interval',
      'specimen',
      'patient',
      'sample',
      'collected',
      'physician',
      'result',
      'units',
      'flag',
    ]),
  },
  {
    kind: 'form',
    title: labelPattern([
      'form',
      'application',
      'registration',
      'questionnaire',
      'formular',
      'antrag',
      'formulaire',
      'modulo',
    ]),
    words: labelPattern([
      'application',
      'applicant',
      'please print',
      'first name',
      'last name',
      'full name',
      'employee',
      'employer',
      'signature',
      'member id',
      'date of birth',
      'social security number',
      'phone number',
      'postal code',
      'form',
    ]),
  },
];

const titleWeight = 4;
const maxTitleLines = 14;
const minScore = 4;

/** The kind of a document by the words on its first two pages; `report` when no kind scores high enough. */
export function detectKind(document: DocumentText): DocumentKind {
  const lines = document.lines.filter((line) => line.page <= 2 && line.cells.length > 0).map((line) => fold(line.text));
  const text = lines.join('\n');
  const head = lines.slice(0, maxTitleLines).join('\n');
  const scores = kindLabels.map(({ kind, title, words }) => {
    const distinct = new Set([...text.matchAll(words)].map(([word]) => word)).size;
    return { kind, score: distinct + (head.search(new RegExp(title.source, 'u')) === -1 ? 0 : titleWeight) };
  });
  const [best] = scores.sort((a, b) => b.score - a.score);
  return best && best.score >= minScore ? best.kind : 'report';
}
