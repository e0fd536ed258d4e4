import { codedValues, type CodedKind, isIban } from '../values/coded.ts';
import type { Field } from './field.ts';
import type { Found, PageContext } from './page-context.ts';
import { isAboutBuyer } from './parties/party-field.ts';

const codedFields: readonly [RegExp, CodedKind][] = [
  [/(?:^| )iban(?: |$)/u, 'iban'],
  [/(?:^| )(?:bic|swift)(?: |$)/u, 'bic'],
  [
    /(?:^| )(?:vat|ust|tva|btw|iva)(?: registration)? (?:id|number|no|nr|identification)|^(?:ustid|ust idnr|vatin)$|tax id/u,
    'vatId',
  ],
  [/(?:^| )e ?mail(?: address)?$/u, 'email'],
  [/(?:^| )(?:website|url|web(?: address)?|homepage)$/u, 'website'],
];

/** The kind of code that a field's name asks for; undefined for other fields. */
export function codedKindOf(field: Field): CodedKind | undefined {
  return codedFields.find(([names]) => names.test(field.words))?.[1];
}

const codedLabels: Partial<Record<CodedKind, RegExp>> = { iban: /iban/iu, bic: /bic|swift/iu };

/** The first code of a kind. An IBAN or BIC must follow its name, because other codes look alike. */
export function findCoded(kind: CodedKind, field: Field, context: PageContext): Found<string> | null {
  const label = codedLabels[kind];
  for (const line of context.lines) {
    const from = label ? line.text.search(label) : 0;
    if (from === -1) continue;
    const match = codedValues[kind].exec(line.text.slice(from));
    if (!match || (kind === 'vatId' && isOfBuyer(line.text.slice(0, match.index)) !== isAboutBuyer(field))) continue;
    return { value: match[0], written: match[0], line, score: 1 };
  }
  return kind === 'iban' ? findUnlabelledIban(context) : null;
}

/** Whether the words before a code assign it to the other party. */
function isOfBuyer(before: string): boolean {
  return /(?<!\p{L})(?:your|ihre|votre|vostra?|uw|su|customer|client|buyer|kunden?|käufer)(?!\p{L})/iu.test(before);
}

function findUnlabelledIban(context: PageContext): Found<string> | null {
  for (const line of context.lines) {
    for (const [written] of line.text.matchAll(new RegExp(codedValues.iban.source, 'gu'))) {
      if (isIban(written)) return { value: written, written, line, score: 1 };
    }
  }
  return null;
}
