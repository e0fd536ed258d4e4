import { useCallback, useMemo, useState } from 'react';
import type { FoundThere, Passage } from '../../viewer/passage/passage.ts';
import type { PassageAddress } from '../../../shared/addresses/document-address.ts';

const nothingKnown: FoundThere = { matches: [], text: undefined };

interface AddressPassage {
  /** Undefined where the address leads to no page. */
  passage: Passage | undefined;
  /** Takes what the search says of the place. */
  onFound: (found: FoundThere) => void;
}

/** The place that the document's address leads to. */
export function useAddressPassage({ page, start, end, collection, q }: PassageAddress): AddressPassage {
  const place = JSON.stringify([page, start, end, collection, q]);
  const [told, setTold] = useState({ place: '', found: nothingKnown });
  const answer = told.place === place ? told.found : undefined;
  const found = collection === undefined ? nothingKnown : answer;
  const passage = useMemo(
    () =>
      page === undefined
        ? undefined
        : { page, range: start === undefined || end === undefined ? undefined : { start, end }, found },
    [page, start, end, found],
  );
  const onFound = useCallback((next: FoundThere) => setTold({ place, found: next }), [place]);
  return useMemo(() => ({ passage, onFound }), [passage, onFound]);
}
