/** Fractions 0–1 of the page as displayed, origin top left. */
export interface GroundingBox {
  page_num: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Where one value stands. */
export interface Grounding {
  /** Page of the first box; null where the value is nowhere. */
  page_num: number | null;
  /** The words of the page. */
  quote: string | null;
  /** One for each line. */
  boxes: GroundingBox[];
  /**
   * `exact`: written like the value. `normalized`: the same in another notation (case, spaces, punctuation, number and
   * date formats). `fuzzy`: nearly so. `none`: nowhere on the pages.
   */
  match: 'exact' | 'normalized' | 'fuzzy' | 'none';
  /** In how many places the value stands that fit as well as the one named, where they are several. */
  places?: number;
}
