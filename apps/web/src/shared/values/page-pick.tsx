import { createContext, use } from 'react';

/** A box on a page, in fractions 0 to 1 of it as displayed. */
export interface PickedBox {
  page_num: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** What is taken from a page into a value: a box that a user draws there, or a text that they mark. */
export interface PagePick {
  /** The box that was drawn last, until its words are used or given up. */
  box: PickedBox | undefined;
  /** A finger draws, and does not scroll. */
  isArmed: boolean;
  pickBox: (box: PickedBox) => void;
  /** Of a document without pages that could be drawn on. */
  pickText: (text: string) => void;
}

export const PagePickContext = createContext<PagePick | undefined>(undefined);

/** Undefined where a page is only looked at. */
export const usePagePick = () => use(PagePickContext);
