import { fold } from '../page/fold.ts';
import type { DocumentText } from '../page/document-text.ts';
import { labelPattern } from '../fill/label.ts';

export type DocumentKind = 'invoice' | 'receipt' | 'contract' | 'letter' | 'form' | 'report';

interface KindWords {
  kind: DocumentKind;
  /** Words that papers of this kind carry. Languages: en, de, fr, it, es, nl. */
  words: RegExp;
  weight: number;
}

const kindWords: readonly KindWords[] = [
  {
    kind: 'invoice',
    weight: 2,
    words: labelPattern([
      'invoice',
      'rechnung(?:snummer|snr|sdatum)?',
      'handelsrechnung',
      'facture',
      'factuur(?:nummer|datum)?',
      'fattura',
      'factura',
      'bill to',
      'vat',
      'ust id nr',
      'due date',
      'payment terms',
      'zahlungsbedingungen',
    ]),
  },
  {
    kind: 'receipt',
    weight: 2,
    words: labelPattern([
      'receipt',
      'cash',
      'change',
      'cashier',
      'quittung',
      'kassenbon',
      'ticket',
      'thank you',
      'gst',
      'table no',
      'rounding',
      'tip',
      'scontrino',
      'subtotal',
      'visa',
      'mastercard',
    ]),
  },
  {
    kind: 'contract',
    weight: 3,
    words: labelPattern([
      'agreement',
      'contract',
      'hereinafter',
      'hereby',
      'party',
      'parties',
      'governing law',
      'whereas',
      'witness whereof',
      'vertrag',
      'contrat',
      'shall',
    ]),
  },
  {
    kind: 'letter',
    weight: 3,
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
      'sehr geehrte',
      'mit freundlichen grussen',
      'betreff',
      'madame',
      'cordialement',
    ]),
  },
  {
    kind: 'form',
    weight: 2,
    words: labelPattern([
      'form',
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
      'formular',
      'antrag',
    ]),
  },
];

const enough = 5;

/** The kind of paper by the words on its first two pages, or `report` where none stands out. */
export function detectKind(document: DocumentText): DocumentKind {
  const text = fold(
    document.lines
      .filter((line) => line.page <= 2)
      .map((line) => line.text)
      .join('\n'),
  );
  const scores = kindWords.map(({ kind, words, weight }) => {
    const distinct = new Set([...text.matchAll(words)].map(([word]) => word));
    return { kind, score: distinct.size * weight + titleScore(text, words) };
  });
  const [best] = scores.sort((a, b) => b.score - a.score);
  return best && best.score >= enough ? best.kind : 'report';
}

/** A word in the first lines is the paper's title more often than not. */
function titleScore(text: string, words: RegExp): number {
  const head = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 4)
    .join('\n');
  return [...head.matchAll(words)].length > 0 ? 3 : 0;
}
