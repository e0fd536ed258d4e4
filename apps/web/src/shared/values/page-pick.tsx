import { createContext, use } from 'react';

/** A box on a page, in fractions from 0 to 1 of the displayed page. */
export interface PickedBox {
  page_num: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Picks a value from a page: the user draws a box, or selects text. */
export interface PagePick {
  /** The last drawn box, until its words are used or discarded. */
  box: PickedBox | undefined;
  /** Whether touch draws a box instead of scrolling. */
  isArmed: boolean;
  /** Turns picking from the page on or off. */
  arm: () => void;
  pickBox: (box: PickedBox) => void;
  /** For documents shown as text. */
  pickText: (text: string) => void;
}

export const PagePickContext = createContext<PagePick | undefined>(undefined);

/** Undefined where picking is not possible. */
export const usePagePick = () => use(PagePickContext);
