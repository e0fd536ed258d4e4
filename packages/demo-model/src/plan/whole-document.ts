import { documentOf, type DocumentText } from '../page/document-text.ts';
import type { Conversation, Outcome } from './conversation.ts';
import { pageTextsIn } from './page-texts.ts';
import { type Move, use } from './plan.ts';

/** The document's text. When only an excerpt was sent, the pages are read in full first. */
export function* readWholeDocument({
  document,
  tools,
}: Conversation): Generator<Move, DocumentText | undefined, Outcome[]> {
  if (!document?.isCut || !tools.has('get_ocr_text')) return document;
  const pages = pageTextsIn(yield* use('get_ocr_text', {}));
  return pages.length > 0 ? documentOf(document.name, pages) : document;
}
