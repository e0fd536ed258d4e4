import { z } from 'zod';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Outcome } from '../../conversation/outcome.ts';
import { type Steps, use } from '../../conversation/plan.ts';
import { documentOf, type DocumentText, type PageText } from '../../page/document-text.ts';

const shape = z.object({ pages: z.array(z.looseObject({ page_num: z.number(), text: z.string() })) });

/** The pages in a result of `get_ocr_text`; empty for any other result. */
export function pageTextsIn(outcome: Outcome): PageText[] {
  const parsed = shape.safeParse(outcome.kind === 'done' ? outcome.value : undefined);
  return parsed.success ? parsed.data.pages.map(({ page_num, text }) => ({ page: page_num, text })) : [];
}

/** The document's text. When the request has only an excerpt, all pages are read first. */
export function* readWholeDocument({ document, tools }: Conversation): Steps<DocumentText | undefined> {
  if (!document?.isCut || !tools.has('get_ocr_text')) return document;
  const pages = pageTextsIn(yield* use('get_ocr_text', {}));
  return pages.length > 0 ? documentOf(document.name, pages) : document;
}

/** The line in the document agent's system prompt. */
const missingText = /^There is no text to read: state (?<state>\w+)(?:, (?<reason>.+)|\.)$/mu;

/** The reason why the pages have no text; undefined when the pages were read but are empty. */
export function whyNoText({ system }: Conversation): string | undefined {
  const { state, reason } = missingText.exec(system)?.groups ?? {};
  if (reason !== undefined) return `The text of this document could not be read: ${reason}`;
  if (state === 'uploaded' || state === 'ocr_processing')
    return 'The text of this document is still being read. Ask me again in a moment.';
  return undefined;
}
