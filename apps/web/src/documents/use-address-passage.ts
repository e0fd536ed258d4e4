import { useCallback, useMemo, useState } from 'react';
import type { Passage, TextRange } from '../pdf/passage.ts';
import type { PassageAddress } from './document-address.ts';

const noMatches: readonly TextRange[] = [];

interface AddressPassage {
  /** Undefined where the address leads to no page. */
  passage: Passage | undefined;
  /** Takes what the search says that it has found in the passage. */
  onMatches: (matches: readonly TextRange[]) => void;
}

/** The place that the document's address leads to. */
export function useAddressPassage({ page, start, end, collection, q }: PassageAddress): AddressPassage {
  const place = JSON.stringify([page, start, end, collection, q]);
  const [found, setFound] = useState({ place: '', matches: noMatches });
  const isAsked = collection !== undefined && found.place !== place;
  const known = collection === undefined ? noMatches : found.matches;
  const matches = isAsked ? undefined : known;
  const passage = useMemo(
    () =>
      page === undefined
        ? undefined
        : { page, range: start === undefined || end === undefined ? undefined : { start, end }, matches },
    [page, start, end, matches],
  );
  const onMatches = useCallback((next: readonly TextRange[]) => setFound({ place, matches: next }), [place]);
  return useMemo(() => ({ passage, onMatches }), [passage, onMatches]);
}
