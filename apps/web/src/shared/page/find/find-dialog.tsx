import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Dialog as Primitive } from 'radix-ui';
import { useDeferredValue, useId, useRef, type FormEvent, type KeyboardEvent } from 'react';
import { messageOf } from '../../http/api-error.ts';
import { useSession } from '../../session/session.tsx';
import { classNames } from '../../ui/class-names.ts';
import { inputClass } from '../../ui/fields/text-field.tsx';
import { kindLabels, nextIndex, places, foundCollections, foundPlaces, nearestFirst, type Found } from './found.ts';
import type { documentList, promptList, scheduleList, schemaList, tagList } from '@docwright/contract';
import type { z } from 'zod';
import { collectionListQuery } from '../../api/collections-api.ts';
import { queryString, requestJson } from '../../http/http.ts';

interface FindDialogProps {
  /** What is looked for: it may have been typed before the dialog was there. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
}

/** Finds documents, schemas, prompts, tags, schedules, collections and pages by name; Enter goes to the first, the arrows to the others. */
export function FindDialog({ text, onText, onClose }: FindDialogProps) {
  const { orgId } = useSession();
  const navigate = useNavigate();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const wanted = useDeferredValue(text.trim());
  const finding = useQuery(foundQuery(orgId, wanted));
  const found = finding.data ?? [];
  const go = ({ kind, id: foundId }: Found) => {
    onClose();
    if (kind === 'document') void navigate({ to: '/documents/$documentId', params: { documentId: foundId } });
    if (kind === 'schema') void navigate({ to: '/schemas/$schemaId', params: { schemaId: foundId } });
    if (kind === 'prompt') void navigate({ to: '/prompts/$promptId', params: { promptId: foundId } });
    if (kind === 'tag') void navigate({ to: '/', search: { tag: foundId } });
    if (kind === 'schedule') void navigate({ to: '/schedules/$scheduleId', params: { scheduleId: foundId } });
    if (kind === 'collection') void navigate({ to: '/collections/$collectionId', params: { collectionId: foundId } });
    const place = kind === 'page' ? places.find((each) => each.id === foundId) : undefined;
    if (place) void navigate({ to: place.id });
  };
  /** From the text to the first of the list, through it, and back to the text. */
  const onArrow = (event: KeyboardEvent, index: number) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = nextIndex(index, step, found.length + 1);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  const onEnter = (event: FormEvent) => {
    event.preventDefault();
    const [first] = found;
    if (first) go(first);
  };
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[rgb(10_12_16/45%)]" />
        <Primitive.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // What was typed before is gone on with: by itself the focus would select it, and the next letter replace it.
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
              aria-label="Find documents, schemas, prompts, tags, schedules, collections and pages"
              autoComplete="off"
              placeholder="Find anything by its name"
              className={inputClass}
              value={text}
              onChange={(event) => onText(event.target.value)}
              onKeyDown={(event) => onArrow(event, 0)}
            />
          </form>
          <ul aria-label="Found" className="group min-h-12 overflow-auto p-1">
            {found.map((each, index) => (
              <li key={`${each.kind} ${each.id}`}>
                <button
                  id={`${id}-${index + 1}`}
                  type="button"
                  onClick={() => go(each)}
                  onKeyDown={(event) => onArrow(event, index + 1)}
                  className={classNames(
                    'flex min-h-9 w-full items-center justify-between gap-3 rounded-sm px-2 py-1 text-left text-base hover:bg-hover focus:bg-hover focus-visible:-outline-offset-2',
                    index === 0 && 'not-group-focus-within:bg-hover',
                  )}
                >
                  <span className="min-w-0 truncate">{each.name}</span>
                  <span className="shrink-0 text-xs text-ink-soft">{kindLabels[each.kind]}</span>
                </button>
              </li>
            ))}
          </ul>
          <output className="block px-3 pb-3 text-sm text-ink-soft empty:hidden">
            {finding.isError && messageOf(finding.error)}
            {finding.isSuccess &&
              found.length === 0 &&
              (wanted === '' ? 'Nothing to find yet.' : 'Nothing has this in its name.')}
          </output>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** The server searches no collections by name: the newest are looked through here. */
const maxCollections = 100;

/** Six of each kind whose names hold the text, and the places of the product; without a text, what changed last. */
function foundQuery(orgId: string, text: string) {
  return queryOptions({
    queryKey: ['found', orgId, text],
    queryFn: async ({ client, signal }): Promise<Found[]> => {
      const query = queryString({ name_search: text, limit: 6 });
      const get = <Answer,>(plural: string) => requestJson<Answer>(`/v0/orgs/${orgId}/${plural}${query}`, { signal });
      const [{ documents }, { schemas }, { prompts }, { tags }, { schedules }, { collections }] = await Promise.all([
        get<z.infer<typeof documentList>>('documents'),
        get<z.infer<typeof schemaList>>('schemas'),
        get<z.infer<typeof promptList>>('prompts'),
        get<z.infer<typeof tagList>>('tags'),
        get<z.infer<typeof scheduleList>>('schedules'),
        client.fetchQuery({ ...collectionListQuery(orgId, { skip: 0, limit: maxCollections }), staleTime: 10_000 }),
      ]);
      return nearestFirst(
        [
          ...documents.map(({ id, document_name }) => ({ kind: 'document' as const, id, name: document_name })),
          ...schemas.map(({ schema_id, name }) => ({ kind: 'schema' as const, id: schema_id, name })),
          ...prompts.map(({ prompt_id, name }) => ({ kind: 'prompt' as const, id: prompt_id, name })),
          ...tags.map(({ tag_id, name }) => ({ kind: 'tag' as const, id: tag_id, name })),
          ...schedules.map(({ id, name }) => ({ kind: 'schedule' as const, id, name })),
          ...foundCollections(collections, text),
          ...foundPlaces(text),
        ],
        text,
      );
    },
    placeholderData: keepPreviousData,
  });
}
