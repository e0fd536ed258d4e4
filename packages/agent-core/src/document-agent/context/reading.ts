import { createLanguageDetector } from '@docwright/language/detect';
import { DomainError, type Document, type SignatureField } from '@docwright/contract';
import type { PageText } from './document-block.ts';
import type { DocumentAgentServices } from './services.ts';
import { unreadLines } from './unread-lines.ts';

interface Reading {
  pages: readonly PageText[];
  language?: string | undefined;
  missingText?: string;
}

/** The text of a turn's document, read once: it does not change, and reading a long one in every round is slow. */
const readings = new WeakMap<DocumentAgentServices, Reading>();
let detect: ReturnType<typeof createLanguageDetector> | undefined;
const charactersForLanguage = 4000;

export async function readDocument(services: DocumentAgentServices): Promise<Reading> {
  const known = readings.get(services);
  if (known) return known;
  try {
    let pages = await services.documents.text(services.document.id);
    if (pages.length === 0 && services.untilRead !== undefined) {
      await services.untilRead();
      pages = await services.documents.text(services.document.id);
    }
    if (pages.length === 0)
      return { pages, missingText: missingTextReason(await services.documents.get(services.document.id)) };
    let text = '';
    for (const page of pages) {
      if (text.length >= charactersForLanguage) break;
      text += `${page.text}\n`;
    }
    const language = (detect ??= createLanguageDetector())(text.slice(0, charactersForLanguage));
    const reading = { pages, language };
    readings.set(services, reading);
    return reading;
  } catch (error) {
    // The turn can have deleted its own document.
    if (error instanceof DomainError && error.kind === 'not_found') {
      return { pages: [], missingText: 'it was deleted.' };
    }
    throw error;
  }
}

function missingTextReason({ state, state_error, ocr, duplicate_of }: Document): string {
  if (duplicate_of !== undefined) {
    return `it has the same bytes as the document ${duplicate_of} and is not read twice. Say so to the person, and that they can ask there.`;
  }
  if (state_error) return `state ${state}, ${state_error.message}`;
  if (state !== 'uploaded' && state !== 'ocr_processing') return `state ${state}.`;
  const progress = ocr === undefined ? '' : ` (${ocr.pages_done} of ${ocr.page_count} pages)`;
  return `state ${state}.\nIts text is still being read${progress}: you see nothing of it yet. Say so to the person and say nothing about its content; they can ask again when it is read.`;
}

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
