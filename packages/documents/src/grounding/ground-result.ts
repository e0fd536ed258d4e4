import type { Page } from '../page.ts';

/** Fractions 0–1 of the page as displayed, origin top left. */
export interface GroundingBox {
  page_num: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface Grounding {
  page_num: number | null;
  quote: string | null;
  boxes: GroundingBox[];
  match: 'exact' | 'normalized' | 'fuzzy' | 'none';
}

/** Where the values of a result stand on the pages, keyed by path (`line_items.0.amount`). */
export function groundResult(_result: unknown, _pages: readonly Page[]): Record<string, Grounding> {
  return {};
}
