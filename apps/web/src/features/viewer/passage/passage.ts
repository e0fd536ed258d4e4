import { createContext, use } from 'react';

export interface Offsets {
  start: number;
  end: number;
}

/** What a search found in a passage. */
export interface PassageMatches {
  /** The matches in order, as offsets in the page's text. */
  matches: readonly Offsets[];
  /** The indexed text of the passage; undefined if the search does not find the passage any more. */
  text: string | undefined;
}

/** A part of a page that the page's URL names; the viewer highlights it and scrolls to it. */
export interface LinkedPassage {
  /** Counted from 1. */
  page: number;
  /** UTF-16 offsets in the page's text; undefined for the whole page. */
  range: Offsets | undefined;
  /** Undefined while it loads. */
  found: PassageMatches | undefined;
}

/** Whether the page has the indexed text at the range. A pipeline can index markup that the page does not show. */
export function hasIndexedText(text: string, { range, found }: LinkedPassage): boolean {
  return range === undefined || found?.text === undefined || text.slice(range.start, range.end) === found.text;
}

export const PassageContext = createContext<LinkedPassage | undefined>(undefined);

export const usePassage = () => use(PassageContext);
