import { createContext, use } from 'react';

export interface TextRange {
  start: number;
  end: number;
}

/** A place that an address leads to: lit up, and brought into sight. */
export interface Passage {
  /** From 1. */
  page: number;
  /** UTF-16 units of the page's text; undefined where the page as a whole is meant. */
  range: TextRange | undefined;
  /** What was looked for within it, in order, as units of the page's text; undefined while that is being asked. */
  matches: readonly TextRange[] | undefined;
}

export const PassageContext = createContext<Passage | undefined>(undefined);

export const usePassage = () => use(PassageContext);
