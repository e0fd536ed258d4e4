import type { DocumentRouting, Tag } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DocumentListSearch } from '../../../shared/addresses/document-search.ts';
import { documentListQuery, proposedCount } from '../../../shared/api/documents-api.ts';
import { CountBadge } from '../../../shared/page/count-badge.tsx';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { routesQuery } from '../../../shared/api/arrival/routes-api.ts';
import { sourceListQuery } from '../../../shared/api/sources-api.ts';
import { stageOptions } from '../../../shared/formats/document-state-labels.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Choice } from '../../../shared/ui/fields/choice.tsx';
import { NameSearch } from '../../../shared/ui/fields/name-search.tsx';

/** Where a document went, in words. */
const routingLabels: Record<DocumentRouting['state'], string> = {
  routed: 'Routed',
  unsure: 'Route unsure',
  waiting_split: 'Split unsure',
  none: 'No route',
};

/** Which versions of the files of sources are listed. */
const versionLabels: Record<NonNullable<DocumentListSearch['versions']>, string> = {
  all: 'With replaced versions',
  missing: 'Gone from their source',
};

/** Describes the list's filter, to follow “all documents”. */
export function queryLabel({ q, state, tag, routing, versions }: DocumentListSearch, tags: Tag[]): string {
  const tagName = tags.find(({ tag_id }) => tag_id === tag)?.name;
  return [
    q !== undefined && `matching “${q}”`,
    state !== undefined && `in the state “${stageOptions.find(({ value }) => value === state)?.label}”`,
    tag !== undefined && `with the tag “${tagName ?? tag}”`,
    routing !== undefined && `with “${routingLabels[routing]}”`,
    versions === 'all' && 'with replaced versions',
    versions === 'missing' && 'gone from their source',
  ]
    .filter((part) => part !== false)
    .join(', ');
}

interface DocumentFiltersProps {
  search: DocumentListSearch;
  /** The number of documents that are found. */
  total: number | undefined;
  onChange: (search: DocumentListSearch) => void;
}

/** `Select` has no empty value. */
const any = 'any';

/** The search by words and the filters of the list. */
export function DocumentFilters({ search, total, onChange }: DocumentFiltersProps) {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const hasRoutes = (useQuery(routesQuery(orgId)).data?.length ?? 0) > 0;
  const sources = useQuery(sourceListQuery(orgId, { skip: 0, limit: 100 })).data?.sources ?? [];
  const hasFiles = sources.some(({ connector }) => connector !== undefined);
  const { page: _page, ...filters } = search;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">
      <NameSearch
        label="Search names, words and values"
        className="w-72 max-sm:w-full"
        value={search.q ?? ''}
        onChange={(q) => onChange({ ...filters, q })}
      />
      <Choice
        label="State"
        className="h-8"
        value={search.state ?? any}
        options={[{ value: any, label: 'Any state' }, ...stageOptions]}
        onChange={(state) => {
          const { state: _state, ...rest } = filters;
          onChange(state === any ? rest : { ...rest, state: state as NonNullable<DocumentListSearch['state']> });
        }}
      />
      {tags.length > 0 && (
        <Choice
          label="Tag"
          className="h-8 max-w-44"
          value={search.tag ?? any}
          options={[{ value: any, label: 'Any tag' }, ...tags.map((tag) => ({ value: tag.tag_id, label: tag.name }))]}
          onChange={(tag) => {
            const { tag: _tag, ...rest } = filters;
            onChange(tag === any ? rest : { ...rest, tag });
          }}
        />
      )}
      {(hasRoutes || search.routing !== undefined) && (
        <Choice
          label="Route"
          className="h-8"
          value={search.routing ?? any}
          options={[
            { value: any, label: 'Any route' },
            ...Object.entries(routingLabels).map(([value, label]) => ({
              value,
              label: value === search.routing && total !== undefined ? `${label} · ${total.toLocaleString()}` : label,
            })),
          ]}
          onChange={(routing) => {
            const { routing: _routing, ...rest } = filters;
            onChange(
              routing === any ? rest : { ...rest, routing: routing as NonNullable<DocumentListSearch['routing']> },
            );
          }}
        />
      )}
      {(hasFiles || search.versions !== undefined) && (
        <Choice
          label="Versions"
          className="h-8"
          value={search.versions ?? any}
          options={[
            { value: any, label: 'Current versions' },
            ...Object.entries(versionLabels).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(versions) => {
            const { versions: _versions, ...rest } = filters;
            onChange(
              versions === any ? rest : { ...rest, versions: versions as NonNullable<DocumentListSearch['versions']> },
            );
          }}
        />
      )}
    </div>
  );
}

/** The number of pending proposals. */
export const proposedCountQuery = (orgId: string) => ({
  ...documentListQuery(orgId, proposedCount),
  refetchInterval: 10_000,
});

interface ProposedChipProps {
  count: number | undefined;
  search: DocumentListSearch;
  onChange: (next: DocumentListSearch) => void;
}

/** The number of pending proposals, as a filter. */
export function ProposedChip({ count, search, onChange }: ProposedChipProps) {
  const isOn = search.state === 'proposal';
  if (!count && !isOn) return null;
  const { state: _state, page: _page, ...rest } = search;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <button
        type="button"
        aria-pressed={isOn}
        onClick={() => onChange(isOn ? rest : { ...rest, state: 'proposal' })}
        className="inline-flex items-center gap-1.5 rounded-full border border-line bg-raised px-2.5 py-0.5 font-medium hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
      >
        Proposal ready <CountBadge count={count} />
      </button>
      <Link to="/proposals" className="rounded-sm text-ink-soft underline underline-offset-2 hover:text-ink">
        Decide by kind
      </Link>
    </div>
  );
}
