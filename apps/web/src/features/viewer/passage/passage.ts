import { createContext, use } from 'react';

export interface TextRange {
  start: number;
  end: number;
}

/** What a search says of a place that it has found. */
export interface FoundThere {
  /** What was looked for, in order, as units of the page's text. */
  matches: readonly TextRange[];
  /** What stands there, as it was indexed; undefined where the search does not find the place, or no longer. */
  text: string | undefined;
}

/** A place that an address leads to: lit up, and brought into sight. */
export interface Passage {
  /** From 1. */
  page: number;
  /** UTF-16 units of the page's text; undefined where the page as a whole is meant. */
  range: TextRange | undefined;
  /** Undefined while that is being asked. */
  found: FoundThere | undefined;
}

/** Whether the page says there what was indexed: a pipeline may read a file's markup, of which the page shows the text alone. */
export function standsIn(text: string, { range, found }: Passage): boolean {
  return range === undefined || found?.text === undefined || text.slice(range.start, range.end) === found.text;
}

export const PassageContext = createContext<Passage | undefined>(undefined);

export const usePassage = () => use(PassageContext);
