import { z } from 'zod';
import { fold } from '../page/fold.ts';
import type { DocumentText } from '../page/document-text.ts';
import { issuerOf } from '../propose/kind-title.ts';
import { detectKind, kindName } from '../propose/document-kind.ts';

/** A prompt that a message without a person shows, because it fits the document. */
const shownKind = z.object({ prompt_revid: z.string(), name: z.string() });
export type ShownKind = z.infer<typeof shownKind>;

const opening = '<kinds>\n';
const closing = '\n</kinds>';

/** The message without the kinds that it shows, and these. */
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

/** The first kind that is of the document's kind and issuer, as far as its name says either. */
export function kindOfDocument(kinds: readonly ShownKind[], document: DocumentText): ShownKind | undefined {
  const issuer = fold(issuerOf(document) ?? '');
  const kind = detectKind(document);
  return kinds.find(({ name }) => {
    const [what = '', who = ''] = name.split(',').map((part) => fold(part.replace(/\s+\d{1,3}$/u, '')).trim());
    const isOtherIssuer = who !== '' && issuer !== '' && !issuer.includes(who) && !who.includes(issuer);
    const isOtherKind = who !== '' && kind !== 'report' && !what.includes(fold(kindName(kind)));
    return !isOtherIssuer && !isOtherKind;
  });
}
