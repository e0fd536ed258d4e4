import type { Box } from '../page/box.ts';

/** A rectangle in fractions 0–1 of the page as displayed, origin top left. */
export interface GroundingBox extends Box {
  page_num: number;
}

/** The place of one value on the pages. */
export interface Grounding {
  /** Page of the first box; null if no page contains the value. */
  page_num: number | null;
  /** The value as it is written on the page; null if no page contains it. */
  quote: string | null;
  /** One box for each line. */
  boxes: GroundingBox[];
  /**
   * `exact`: written like the value, in one place that fits best. `normalized`: in another notation (case, spaces, punctuation,
   * number and date formats), or in several places that fit equally well. `fuzzy`: nearly the same. `none`: on no page.
   */
  match: 'exact' | 'normalized' | 'fuzzy' | 'none';
  /** The digits of a number that JavaScript's numbers would round. */
  raw?: string;
  /** Number of places that fit equally well, if there are several. */
  places?: number;
}
