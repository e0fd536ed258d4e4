import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Dialog as Primitive } from 'radix-ui';
import { useDeferredValue, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { messageOf } from '../../http/api-error.ts';
import { useSession } from '../../session/session.tsx';
import { classNames } from '../../ui/class-names.ts';
import { inputClass } from '../../ui/fields/text-field.tsx';
import {
  addressOf,
  kindLabels,
  matchActions,
  matchCollections,
  matchPages,
  nextIndex,
  placeKinds,
  placeLabel,
  sortByRelevance,
  type Match,
} from './matches.ts';
import { collectionListQuery } from '../../api/collections-api.ts';
import { foundPlacesQuery } from '../../api/documents-api.ts';
import { pageActions } from './page-actions.ts';
import { requestJson } from '../../http/http.ts';

interface FindDialogProps {
  /** The search text; it may hold keys typed before the dialog loaded. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
}

/** Finds objects, pages and actions by name; Enter opens the first match, arrow keys move through the list. */
export function FindDialog({ text, onText, onClose }: FindDialogProps) {
  const { orgId } = useSession();
  const navigate = useNavigate();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const query = useDeferredValue(text.trim());
  const search = useQuery(matchesQuery(orgId, query));
  // The page behind the dialog does not change.
  const [actions] = useState(pageActions);
  // Last among equals: Enter in an empty field opens what changed last, and does nothing.
  const matches = sortByRelevance([...(search.data ?? []), ...matchActions(actions, query)], query);
  const open = ({ kind, id: matchId, place }: Match) => {
    onClose();
    const search = place ? addressOf(place) : {};
    if (kind === 'document') void navigate({ to: '/documents/$documentId', params: { documentId: matchId }, search });
    if (kind === 'schema') void navigate({ to: '/schemas/$schemaId', params: { schemaId: matchId } });
    if (kind === 'prompt') void navigate({ to: '/prompts/$promptId', params: { promptId: matchId } });
    if (kind === 'tag') void navigate({ to: '/', search: { tag: matchId } });
    if (kind === 'schedule') void navigate({ to: '/schedules/$scheduleId', params: { scheduleId: matchId } });
    if (kind === 'collection') void navigate({ to: '/collections/$collectionId', params: { collectionId: matchId } });
    if (kind === 'page') void navigate({ href: matchId });
    if (kind === 'action') actions.find(({ name }) => name === matchId)?.run();
  };
  /** Moves from the text field through the list and back to the field. */
  const onArrow = (event: KeyboardEvent, index: number) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = nextIndex(index, step, matches.length + 1);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  const onEnter = (event: FormEvent) => {
    event.preventDefault();
    const [first] = matches;
    if (first) open(first);
  };
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/45%)]" />
        <Primitive.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // The default focus would select the text typed so far, and the next key would replace it.
            event.preventDefault();
            field.current?.focus();
            field.current?.setSelectionRange(text.length, text.length);
          }}
          className="fixed top-[12vh] left-1/2 z-40 flex max-h-[70vh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 flex-col rounded-lg border border-line bg-raised shadow-float"
        >
          <Primitive.Title className="sr-only">Find anything</Primitive.Title>
          <form onSubmit={onEnter} className="border-b border-line p-2">
            <input
              ref={field}
              id={`${id}-0`}
              type="search"
              aria-label="Find documents by name, words and values; schemas, prompts, tags, schedules, collections, pages and actions"
              autoComplete="off"
              placeholder="Names, words on pages, values, actions"
              className={inputClass}
              value={text}
              onChange={(event) => onText(event.target.value)}
              onKeyDown={(event) => onArrow(event, 0)}
            />
          </form>
          <ul aria-label="Matches" className="group min-h-12 overflow-auto p-1">
            {matches.map((match, index) => (
              <li key={`${match.kind} ${match.id} ${match.place?.kind ?? ''}`}>
                <button
                  id={`${id}-${index + 1}`}
                  type="button"
                  onClick={() => open(match)}
                  onKeyDown={(event) => onArrow(event, index + 1)}
                  className={classNames(
                    'flex min-h-9 w-full items-center justify-between gap-3 rounded-sm px-2 py-1 text-left text-base hover:bg-hover focus:bg-hover focus-visible:-outline-offset-2',
                    index === 0 && 'not-group-focus-within:bg-hover',
                  )}
                >
                  <span className="flex min-w-0 flex-col">
                    <span className="truncate">{match.name}</span>
                    {match.place && <span className="truncate text-sm text-ink-soft">{placeLabel(match.place)}</span>}
                  </span>
                  <span className="shrink-0 text-xs text-ink-soft">
                    {match.place ? placeKinds[match.place.kind] : kindLabels[match.kind]}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <output className="block px-3 pb-3 text-sm text-ink-soft empty:hidden">
            {search.isError && messageOf(search.error)}
            {search.isSuccess && matches.length === 0 && (query === '' ? 'Nothing here yet.' : 'No matches.')}
          </output>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The server cannot search collections by name: the newest are filtered here. */
const maxCollections = 100;

/** Up to six objects of each kind whose names contain the text, and pages; without text, what changed last. */
function matchesQuery(orgId: string, text: string) {
  return queryOptions({
    queryKey: ['matches', orgId, text],
    queryFn: async ({ client, signal }): Promise<Match[]> => {
      const options = { query: { name_search: text, limit: 6 }, signal };
      const [{ documents }, { places }, { schemas }, { prompts }, { tags }, { schedules }, { collections }] =
        await Promise.all([
          requestJson(`/v0/orgs/${orgId}/documents`, options),
          client.fetchQuery(foundPlacesQuery(orgId, text, 6)),
          requestJson(`/v0/orgs/${orgId}/schemas`, options),
          requestJson(`/v0/orgs/${orgId}/prompts`, options),
          requestJson(`/v0/orgs/${orgId}/tags`, options),
          requestJson(`/v0/orgs/${orgId}/schedules`, options),
          client.fetchQuery({ ...collectionListQuery(orgId, { skip: 0, limit: maxCollections }), staleTime: 10_000 }),
        ]);
      return sortByRelevance(
        [
          ...documents.map(({ id, document_name }) => ({ kind: 'document' as const, id, name: document_name })),
          ...places
            .filter(({ kind }) => kind !== 'name')
            .map((place) => ({ kind: 'document' as const, id: place.document_id, name: place.document_name, place })),
          ...schemas.map(({ schema_id, name }) => ({ kind: 'schema' as const, id: schema_id, name })),
          ...prompts.map(({ prompt_id, name }) => ({ kind: 'prompt' as const, id: prompt_id, name })),
          ...tags.map(({ tag_id, name }) => ({ kind: 'tag' as const, id: tag_id, name })),
          ...schedules.map(({ id, name }) => ({ kind: 'schedule' as const, id, name })),
          ...matchCollections(collections, text),
          ...matchPages(text),
        ],
        text,
      );
    },
    placeholderData: keepPreviousData,
  });
}
