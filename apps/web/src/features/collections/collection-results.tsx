import type { Collection, SearchAnswer } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { SearchX, Copy, Download, Ellipsis } from 'lucide-react';
import { collectionSearchQuery, searchesKey } from '../../shared/api/collections-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { nextTop, queryOf, topOf, type CollectionPageSearch } from '../../shared/addresses/collection-search.ts';
import { HitList } from './hit-list.tsx';
import { messageOf } from '../../shared/http/api-error.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../shared/ui/menu.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { counted } from '../../shared/formats/counted.ts';

interface CollectionResultsProps {
  collection: Collection;
  search: CollectionPageSearch;
  onSearch: (search: CollectionPageSearch) => void;
  /** Called on the up arrow at the first hit. */
  onUp: () => void;
}

/** The search in the URL; while it changes, the previous answer stays. */
export function useSearchAnswer(collectionId: string, search: CollectionPageSearch) {
  const { orgId } = useSession();
  const query = collectionSearchQuery(orgId, collectionId, { query: queryOf(search), top_k: topOf(search) });
  const searches = JSON.stringify(searchesKey(orgId, collectionId));
  return useQuery({
    ...query,
    // The previous answer may be of another collection.
    placeholderData: (previous, query) =>
      JSON.stringify(query?.queryKey.slice(0, -1)) === searches ? previous : undefined,
  });
}

/** The hits of a search, with count, grouping and export. */
export function CollectionResults({ collection, search, onSearch, onUp }: CollectionResultsProps) {
  const { id } = collection;
  const searching = useSearchAnswer(id, search);
  const answer = queryOf(search) === '' ? undefined : searching.data;
  const hasHits = answer !== undefined && answer.results.length > 0;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-4 gap-y-1 has-[output:only-child:empty]:hidden">
        {/* Always mounted, so that screen readers announce changes. */}
        <output className="text-sm text-ink-soft">
          {answer && !searching.isError && countLabel(answer, search, collection)}
        </output>
        {hasHits && !searching.isError && (
          <div className="flex items-center gap-2">
            <CheckField
              label="By document"
              title="Hits grouped by document"
              checked={search.by === 'document'}
              onChange={(isOn) => onSearch(groupedBy(search, isOn))}
            />
            <HitMenu answer={answer} name={`${collection.name} – ${queryOf(search).slice(0, 60)}`} />
          </div>
        )}
      </div>
      <Hits collection={collection} search={search} searching={searching} onSearch={onSearch} onUp={onUp} />
    </div>
  );
}

function groupedBy({ by: _by, ...rest }: CollectionPageSearch, isOn: boolean): CollectionPageSearch {
  return isOn ? { ...rest, by: 'document' } : rest;
}

function Hits(props: CollectionResultsProps & { searching: ReturnType<typeof useSearchAnswer> }) {
  const { collection, search, searching, onSearch, onUp } = props;
  const { data: answer, isError, isPlaceholderData: isStale } = searching;
  const top = topOf(search);
  if (queryOf(search) === '') return <SearchHints collection={collection} />;
  if (isError) return <RetryNotice error={searching.error} retry={() => void searching.refetch()} />;
  if (!answer) return <LoadingHits />;
  const count = answer.results.length;
  if (count === 0) return <NothingFound collection={collection} search={search} onSearch={onSearch} />;
  const more = nextTop(top);
  return (
    <>
      <HitList answer={answer} collection={collection} search={search} isStale={isStale} onUp={onUp} />
      {count >= top && more !== undefined && (
        <Button className="self-center" disabled={isStale} onClick={() => onSearch({ ...search, top: more })}>
          Show more
        </Button>
      )}
      {count >= top && more === undefined && (
        <p className="text-center text-sm text-ink-soft">
          These are the {count} best hits. To narrow the search, add a word or put a phrase in quotation marks.
        </p>
      )}
    </>
  );
}

function countLabel(
  { results, mode }: SearchAnswer,
  search: CollectionPageSearch,
  { search: { vectors } }: Collection,
): string {
  if (results.length === 0) return 'No hits';
  const documents = new Set(results.map(({ document_id }) => document_id)).size;
  const hits = results.length >= topOf(search) ? `The ${results.length} best hits` : counted(results.length, 'hit');
  const missing = vectors && mode === 'lexical' ? ', by keywords only: the embeddings did not answer in time' : '';
  return `${hits} in ${counted(documents, 'document')}${missing}`;
}

/** Explains the query syntax before the first search. */
function SearchHints({ collection: { search, progress } }: { collection: Collection }) {
  const rows = [
    ['rent deposit', 'One or both words; hits with more and rarer words come first.'],
    ['"notice period"', 'This exact phrase.'],
    ['rent -garage', 'Excludes the second word.'],
  ] as const;
  return (
    <div className={`${panelClass} flex flex-col gap-3 p-4 text-sm`}>
      <p className="text-ink-soft">
        {search.vectors
          ? `Searches ${counted(progress.indexed, 'document')} by meaning and keywords. Ask a question, or enter keywords.`
          : `Searches ${counted(progress.indexed, 'document')} by keywords, in any word form.`}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
        {rows.map(([example, effect]) => (
          <div key={example} className="contents">
            <dt className="font-mono text-sm">{example}</dt>
            <dd className="text-ink-soft">{effect}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Placeholder while the first hits load. */
function LoadingHits() {
  return (
    <div aria-hidden className={`${panelClass} mt-10 divide-y divide-line`}>
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="flex flex-col gap-2 px-4 py-3">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3.5 w-11/12" />
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      ))}
    </div>
  );
}

/** Quotation marks and leading minus signs. */
const operators = /["“”]|(?<=^|\s)-(?=\S)/gu;

function NothingFound({ collection, search, onSearch }: Omit<CollectionResultsProps, 'onUp'>) {
  const query = queryOf(search);
  const plain = query.replace(operators, ' ').replace(/\s+/gu, ' ').trim();
  const hasOperators = plain !== '' && plain !== query;
  return (
    <div className={panelClass}>
      <EmptyState
        icon={SearchX}
        title="Nothing found"
        actions={
          hasOperators && (
            <Button onClick={() => onSearch({ ...search, q: plain })}>Search without quotation marks and minus</Button>
          )
        }
      >
        <div className="flex flex-col gap-1.5">
          {collection.status === 'indexing' && collection.progress.waiting > 0 && (
            <p>{counted(collection.progress.waiting, 'document')} not indexed yet; their hits will appear later.</p>
          )}
          {hasOperators && <p>A phrase in quotation marks must match exactly; a word after a minus must not occur.</p>}
          <p>
            {collection.search.vectors
              ? 'Try other words, or a word that is in the document.'
              : 'This collection is searched by keywords. Try words from the documents, in their language, or fewer of them. Very common words alone find nothing.'}
          </p>
        </div>
      </EmptyState>
    </div>
  );
}

/** Copies or downloads the hits. */
function HitMenu({ answer, name }: { answer: SearchAnswer; name: string }) {
  const toast = useToast();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(answer.results, null, 2));
      toast('Hits copied as JSON.');
    } catch {
      toast('The browser did not allow copying. Download the JSON instead.', 'bad');
    }
  };
  const save = async (format: 'json' | 'csv') => {
    try {
      const { saveHits } = await import('./export-hits.ts');
      saveHits(name, answer, format);
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  };
  return (
    <Menu
      trigger={
        <IconButton label="Copy or download the hits">
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => void copy()}>
        <Copy aria-hidden /> Copy as JSON
      </MenuItem>
      <MenuItem onSelect={() => void save('json')}>
        <Download aria-hidden /> Download JSON
      </MenuItem>
      <MenuItem onSelect={() => void save('csv')}>
        <Download aria-hidden /> Download CSV
      </MenuItem>
    </Menu>
  );
}
