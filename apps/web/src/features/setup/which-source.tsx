import type { DocumentFilter, Source } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Files } from 'lucide-react';
import { messageOf } from '../../shared/http/api-error.ts';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { type ChosenDocument, DocumentFilterFields, matchingCount } from '../runs/index.ts';
import { sourceLabel } from '../sources/index.ts';
import { Choice } from '../../shared/ui/fields/choice.tsx';

/** How the documents are chosen. */
export type SourceKind = 'all' | 'filter' | 'chosen' | 'stored';

interface WhichSourceProps {
  kind: SourceKind;
  onKind: (kind: SourceKind) => void;
  /** Documents chosen in the document list. */
  chosen: ChosenDocument[];
  filter: DocumentFilter;
  onFilter: (filter: DocumentFilter) => void;
  sources: Source[];
  stored: Source | undefined;
  onStored: (sourceId: string) => void;
}

const choiceClass =
  'flex cursor-pointer items-center gap-2 rounded-md border border-line bg-raised px-3 py-2 text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft';

export function WhichSource(props: WhichSourceProps) {
  const { kind, onKind, chosen, filter, onFilter, sources, stored, onStored } = props;
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const kinds: [SourceKind, string][] = [
    ...(chosen.length === 0
      ? []
      : [
          [
            'chosen',
            chosen.length === 1 ? 'The document you chose' : `The ${chosen.length} documents you chose`,
          ] satisfies [SourceKind, string],
        ]),
    ['all', 'All documents'],
    ['filter', 'Documents with tags or a name'],
    ...(sources.length === 0 && kind !== 'stored'
      ? []
      : [['stored', 'An earlier source'] satisfies [SourceKind, string]]),
  ];
  return (
    <section aria-labelledby="which" className="flex flex-col gap-3">
      <h2 id="which" className="text-lg font-semibold">
        Which documents
      </h2>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Which documents</legend>
        {kinds.map(([value, label]) => (
          <label key={value} className={choiceClass}>
            <input
              type="radio"
              name="which"
              checked={kind === value}
              onChange={() => onKind(value)}
              className="accent-accent"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {kind === 'chosen' && <ChosenList chosen={chosen} />}
      {kind === 'filter' && <DocumentFilterFields filter={filter} onChange={onFilter} />}
      {kind === 'stored' && (
        <Choice
          label="Source"
          value={stored?.id ?? ''}
          className="h-8 max-w-md self-start"
          options={sources.map((source) => ({
            value: source.id,
            label: source.name,
            note: `${sourceLabel(source, tags)} · ${matchingCount(source.document_count)}`,
          }))}
          onChange={onStored}
        />
      )}
      {kind === 'chosen' && (
        <p className="text-sm text-ink-soft">Select others in the document list, under “Guided setup…”.</p>
      )}
    </section>
  );
}

const maxNames = 8;

function ChosenList({ chosen }: { chosen: ChosenDocument[] }) {
  return (
    <ul
      aria-label="Chosen documents"
      className="list-disc rounded-md border border-line bg-surface py-2 pr-3 pl-7 text-sm"
    >
      {chosen.slice(0, maxNames).map(({ id, document_name }) => (
        <li key={id} className="wrap-anywhere">
          {document_name}
        </li>
      ))}
      {chosen.length > maxNames && <li className="text-ink-soft">and {chosen.length - maxNames} more</li>}
    </ul>
  );
}

/** The maximum of a source. */
const maxDocuments = 10_000;

interface SourceCountProps {
  count: number | undefined;
  /** Whether later documents can match too. */
  isMatching: boolean;
  /** Whether all documents are chosen. */
  isAll: boolean;
  error: Error | null;
}

export function SourceCount({ count, isMatching, isAll, error }: SourceCountProps) {
  return (
    <output className="flex min-h-9 items-start gap-2 rounded-md bg-accent-soft px-3 py-2 text-sm [&>svg]:mt-px [&>svg]:text-accent">
      <Files aria-hidden className="size-4 shrink-0" />
      <span>
        {isMatching && error !== null && messageOf(error)}
        {(!isMatching || error === null) && count === undefined && 'Counting…'}
        {count === 0 && (
          <>
            <strong>No documents</strong> yet. A setup needs at least one.{' '}
            <Link to="/" className="rounded-sm text-accent underline underline-offset-2">
              Upload some
            </Link>
            {isAll ? '.' : ' or change the choice.'}
          </>
        )}
        {count !== undefined && count > 0 && (
          <>
            <strong className="tabular-nums">{matchingCount(count)}</strong>
            {isMatching ? ' now; matching documents that come later belong to it too.' : '.'}
            {count > maxDocuments && ` A collection holds ${maxDocuments.toLocaleString()} at most: narrow it.`}
          </>
        )}
      </span>
    </output>
  );
}
