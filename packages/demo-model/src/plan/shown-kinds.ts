import { z } from 'zod';
import { fold } from '../page/fold.ts';
import type { DocumentText } from '../page/document-text.ts';
import { issuerOf } from '../propose/kind-title.ts';
import { detectKind, kindName } from '../propose/document-kind.ts';

/** A prompt that fits the document, as an automatic message lists it. */
const shownKind = z.object({ prompt_revid: z.string(), name: z.string() });
export type ShownKind = z.infer<typeof shownKind>;

const opening = '<kinds>\n';
const closing = '\n</kinds>';

/** Splits a message into its request and the kinds that it lists. */
export function splitKinds(message: string): { request: string; kinds: ShownKind[] } {
  const start = message.indexOf(opening);
  if (start === -1) return { request: message, kinds: [] };
  const end = message.indexOf(closing, start);
  const block = message.slice(start + opening.length, end === -1 ? undefined : end);
  const kinds = block.split('\n').flatMap((line) => {
    try {
      return shownKind.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return [];
    }
  });
  return { request: message.slice(0, start), kinds };
}

/** The first kind whose name fits the document's kind and issuer. A name without an issuer fits every document. */
export function kindOfDocument(kinds: readonly ShownKind[], document: DocumentText): ShownKind | undefined {
  const issuer = fold(issuerOf(document) ?? '');
  const kind = detectKind(document);
  return kinds.find(({ name }) => {
    const [title = '', kindIssuer = ''] = name.split(',').map((part) => fold(part.replace(/\s+\d{1,3}$/u, '')).trim());
    const isOtherIssuer =
      kindIssuer !== '' && issuer !== '' && !issuer.includes(kindIssuer) && !kindIssuer.includes(issuer);
    const isOtherKind = kindIssuer !== '' && kind !== 'report' && !title.includes(fold(kindName(kind)));
    return !isOtherIssuer && !isOtherKind;
  });
}
