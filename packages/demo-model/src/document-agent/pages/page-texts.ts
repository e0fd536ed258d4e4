import { z } from 'zod';
import type { RuleInput } from '../../conversation/conversation.ts';
import type { Outcome } from '../../conversation/outcome.ts';
import { type BatchSteps, use } from '../../conversation/plan.ts';
import { documentOf, type DocumentLines, type MessagePage } from '../../page/document-text.ts';

const shape = z.object({
  pages: z.array(z.looseObject({ page_num: z.number(), text: z.string() })),
  next_page_num: z.number().optional(),
  /** Says where the rest of a long page begins. */
  rest: z.string().optional(),
});
const restOf = (rest: string | undefined) => /rest_from: (?<from>\d+)/u.exec(rest ?? '')?.groups?.['from'];
/** The marks where a result was cut. */
const marks = /^\[cut: \d+ characters before\]|\[cut: \d+ more characters\]$/gu;

/** The pages in a result of `get_ocr_text`; empty for any other result. */
export function pageTextsIn(outcome: Outcome): MessagePage[] {
  const parsed = shape.safeParse(outcome.kind === 'done' ? outcome.value : undefined);
  return parsed.success ? parsed.data.pages.map(({ page_num, text }) => ({ page: page_num, text })) : [];
}

/** The document's text. When the request has only an excerpt, all pages are read first. */
export function* readWholeDocument({ document, tools }: RuleInput): BatchSteps<DocumentLines | undefined> {
  if (!document?.isCut || !tools.has('get_ocr_text')) return document;
  const pages: MessagePage[] = [];
  let next: { page_num?: number; rest_from?: number } | undefined = {};
  for (let reads = 0; next !== undefined && reads < maxReads; reads++) {
    const outcome: Outcome = yield* use('get_ocr_text', next);
    const parsed = shape.safeParse(outcome.kind === 'done' ? outcome.value : undefined);
    if (!parsed.success) break;
    for (const { page_num, text } of parsed.data.pages) {
      const words = text.replaceAll(marks, '');
      const last = pages.at(-1);
      if (last?.page === page_num) pages.splice(-1, 1, { page: page_num, text: last.text + words });
      else pages.push({ page: page_num, text: words });
    }
    const from = restOf(parsed.data.rest);
    const page: number | undefined = parsed.data.next_page_num ?? nextOf(outcome, pages.at(-1)?.page);
    next =
      from === undefined ? (page === undefined ? undefined : { page_num: page }) : { ...next, rest_from: Number(from) };
  }
  return pages.length > 0 ? documentOf(document.name, pages) : document;
}

/** Pieces of a long document that are read; the rules need no more to find a label. */
const maxReads = 8;

/** The page after the last one that was read alone. */
function nextOf(outcome: Outcome, last: number | undefined): number | undefined {
  const count = outcome.kind === 'done' ? outcome.value['page_count'] : undefined;
  return last !== undefined && typeof count === 'number' && last < count ? last + 1 : undefined;
}

/** The line in the document agent's system prompt. */
const missingText = /^There is no text to read: state (?<state>\w+)(?:, (?<reason>.+)|\.)$/mu;

/** The reason why the pages have no text; undefined when the pages were read but are empty. */
export function whyNoText({ system }: RuleInput): string | undefined {
  const { state, reason } = missingText.exec(system)?.groups ?? {};
  if (reason !== undefined) return `The text of this document could not be read: ${reason}`;
  if (state === 'uploaded' || state === 'ocr_processing')
    return 'The text of this document is still being read. Ask me again in a moment.';
  return undefined;
}
