import { createContext, use } from 'react';

export interface TextRange {
  start: number;
  end: number;
}

/** What a search found at a place. */
export interface FoundThere {
  /** The matches in order, as offsets in the page's text. */
  matches: readonly TextRange[];
  /** The indexed text of the place; undefined if the search does not find the place any more. */
  text: string | undefined;
}

/** A place named by an address, which is highlighted and scrolled to. */
export interface Passage {
  /** Counted from 1. */
  page: number;
  /** UTF-16 offsets in the page's text; undefined for the whole page. */
  range: TextRange | undefined;
  /** Undefined while it loads. */
  found: FoundThere | undefined;
}

/** Whether the page has the indexed text at the range. A pipeline can index markup that the page does not show. */
export function standsIn(text: string, { range, found }: Passage): boolean {
  return range === undefined || found?.text === undefined || text.slice(range.start, range.end) === found.text;
}

export const PassageContext = createContext<Passage | undefined>(undefined);

export const usePassage = () => use(PassageContext);
