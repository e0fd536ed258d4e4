import { z } from 'zod';
import type { PageText } from '../page/document-text.ts';
import type { Outcome } from './conversation.ts';

const shape = z.object({ pages: z.array(z.looseObject({ page_num: z.number(), text: z.string() })) });

/** The pages in a result of `get_ocr_text`; empty for any other result. */
export function pageTextsIn(outcome: Outcome): PageText[] {
  const parsed = shape.safeParse(outcome.kind === 'done' ? outcome.value : undefined);
  return parsed.success ? parsed.data.pages.map(({ page_num, text }) => ({ page: page_num, text })) : [];
}
