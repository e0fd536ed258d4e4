import { z } from 'zod';
import type { PageText } from '../page/document-text.ts';
import type { Outcome } from './conversation.ts';

const shape = z.object({ pages: z.array(z.looseObject({ page_num: z.number(), text: z.string() })) });

/** The pages that `get_ocr_text` answered; empty where it answered something else. */
export function pageTextsIn(outcome: Outcome): PageText[] {
  const parsed = shape.safeParse(outcome.kind === 'done' ? outcome.value : undefined);
  return parsed.success ? parsed.data.pages.map(({ page_num, text }) => ({ page: page_num, text })) : [];
}
