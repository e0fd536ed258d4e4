/** A rectangle in fractions 0–1 of the page as displayed, origin top left. */
export interface GroundingBox {
  page_num: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** The place of one value on the pages. */
export interface Grounding {
  /** Page of the first box; null when no page contains the value. */
  page_num: number | null;
  /** The words of the page, as written there. */
  quote: string | null;
  /** One box for each line. */
  boxes: GroundingBox[];
  /**
   * `exact`: written like the value, in one place that fits best. `normalized`: the same in another notation (case, spaces,
   * punctuation, number and date formats), or in several places that fit as well. `fuzzy`: nearly the same. `none`: on no page.
   */
  match: 'exact' | 'normalized' | 'fuzzy' | 'none';
  /** Number of places that fit as well as this one, if there are several. */
  places?: number;
}
