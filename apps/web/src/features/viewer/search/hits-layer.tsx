import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { documentWordsQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { boxStyle, type Box } from '../geometry/box-geometry.ts';
import { usePageSearchContext, type PageSearch } from './page-search.tsx';
import { hitBoxes } from './search-text.ts';

interface HitsLayerProps {
  pageNumber: number;
  onReveal: (box: Box) => void;
}

/** What the search has found on one page. */
export function HitsLayer({ pageNumber, onReveal }: HitsLayerProps) {
  const search = usePageSearchContext();
  if (!search?.hitsByPage.has(pageNumber)) return null;
  return <ShownHits search={search} pageNumber={pageNumber} onReveal={onReveal} />;
}

function ShownHits({ search, pageNumber, onReveal }: HitsLayerProps & { search: PageSearch }) {
  const { orgId } = useSession();
  const { documentId, searched, active } = search;
  const words = useQuery(documentWordsQuery(orgId, documentId, pageNumber)).data;
  const places = useMemo(() => (words ? hitBoxes(words, pageNumber, searched) : []), [words, pageNumber, searched]);
  const activePlace = active?.pageNumber === pageNumber ? places[active.ordinal] : undefined;
  const [first] = activePlace ?? [];
  useEffect(() => {
    if (active && first) onReveal(first);
  }, [active, first, onReveal]);
  return (
    <div className="pointer-events-none absolute inset-0 z-10 mix-blend-multiply">
      {places.map((boxes, ordinal) =>
        boxes.map((box, index) => (
          <span
            key={`${ordinal}-${index}`}
            data-hit={boxes === activePlace ? 'active' : ''}
            style={boxStyle(box)}
            className={classNames(
              'absolute rounded-[2px]',
              boxes === activePlace ? 'bg-hit-active ring-2 ring-hit-edge' : 'bg-hit',
            )}
          />
        )),
      )}
    </div>
  );
}
