import type { Document, SignatureField } from '@docwright/contract';
import { unreadLines } from './unread-lines.ts';

/** What the model should know of a document that its text does not say: what was not read, what is written for machines, and which fields are signed. */
export function documentFacts({
  unread = [],
  machine_data = [],
  signatures = [],
}: Pick<Document, 'unread' | 'machine_data' | 'signatures'>): string[] {
  const kinds = [...Map.groupBy(machine_data, ({ kind }) => kind)].map(([kind, all]) => `${all.length} ${kind}`);
  return [
    ...(unread.length > 0
      ? [
          `Not read of this document: ${unreadLines(unread).join('; ')}. Say so where an answer depends on it; what the text lacks can stand there.`,
        ]
      : []),
    ...(kinds.length > 0
      ? [
          `Written for machines in this document: ${kinds.join(', ')}. get_machine_data reads it. After a schema for such documents, propose update_prompt { machine_map }, so that each extraction is compared with it.`,
        ]
      : []),
    ...(signatures.length > 0
      ? [
          `Fields for signatures in this document: ${signedPages(signatures, true)}, ${signedPages(signatures, false)}.${drawnOnly(signatures)} Whether a signature is valid is not known.`,
        ]
      : []),
  ];
}

/** A name or a picture of one in a field is no signature that the file holds. What it says is data of the page. */
function drawnOnly(signatures: readonly SignatureField[]): string {
  const drawn = signatures.filter(({ signed, drawn_text }) => !signed && drawn_text !== undefined);
  const pages = [...new Set(drawn.map(({ page_num }) => page_num))].join(', ');
  return drawn.length === 0 ? '' : ` ${drawn.length} of those not signed show text in the field (page ${pages}).`;
}

/** `1 signed (page 3)`. */
function signedPages(signatures: readonly SignatureField[], isSigned: boolean): string {
  const pages = signatures.filter(({ signed }) => signed === isSigned).map(({ page_num }) => page_num);
  const where = pages.length > 0 ? ` (page ${[...new Set(pages)].join(', ')})` : '';
  return `${pages.length} ${isSigned ? 'signed' : 'not signed'}${where}`;
}
