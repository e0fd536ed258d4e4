import type { FoundPlace } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { foundPlacesQuery } from '../../../shared/api/documents-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { addressOf, placeKinds, placeLabel } from '../../../shared/page/find/matches.ts';
import { useSession } from '../../../shared/session/session.tsx';

const maxPlaces = 8;

/** The places of a text in documents, on a page or in a value; undefined while they are searched. */
export function usePlacesInside(text: string): FoundPlace[] | undefined {
  const { orgId } = useSession();
  const query = useDeferredValue(text.trim());
  const found = useQuery(foundPlacesQuery(orgId, query, maxPlaces));
  if (found.isPending) return undefined;
  return (found.data?.places ?? []).filter(({ kind }) => kind !== 'name');
}

/** Documents that contain the text of the list's search on a page or in a value, with a link to the place. */
export function FoundPlaces({ text }: { text: string }) {
  const inside = usePlacesInside(text);
  if (inside === undefined || inside.length === 0) return null;
  return (
    <section aria-label="Found in documents" className="rounded-lg border border-line bg-surface">
      <h2 className="border-b border-line px-3 py-1.5 text-sm font-semibold">
        Found inside {counted(new Set(inside.map(({ document_id }) => document_id)).size, 'document')}
      </h2>
      <ul>
        {inside.map((place) => (
          <li key={`${place.kind} ${place.document_id}`} className="border-b border-line last:border-b-0">
            <Link
              to="/documents/$documentId"
              params={{ documentId: place.document_id }}
              search={addressOf(place)}
              className="flex items-center gap-3 px-3 py-1.5 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate">{place.document_name}</span>
                <span className="block truncate text-sm text-ink-soft">{placeLabel(place)}</span>
              </span>
              <span className="shrink-0 text-xs text-ink-soft">{placeKinds[place.kind]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
