import type { DocumentFilter, Source } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Files } from 'lucide-react';
import { messageOf } from '../../shared/http/api-error.ts';
import { tagsQuery } from '../../shared/api/library-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { type ChosenDocument, ChosenList, chosenLabel, DocumentFilterFields } from '../runs/index.ts';
import { sourceLabel } from '../sources/index.ts';
import { Choice } from '../../shared/ui/fields/choice.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { RadioChoices } from '../../shared/ui/fields/radio-choices.tsx';
import { PageSection } from '../../shared/page/page-section.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

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

export function WhichSource(props: WhichSourceProps) {
  const { kind, onKind, chosen, filter, onFilter, sources, stored, onStored } = props;
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags ?? [];
  const kinds: { value: SourceKind; label: string }[] = [
    ...(chosen.length === 0 ? [] : [{ value: 'chosen' as const, label: chosenLabel(chosen) }]),
    { value: 'all', label: 'All documents' },
    { value: 'filter', label: 'Documents with tags or a name' },
    ...(sources.length === 0 && kind !== 'stored' ? [] : [{ value: 'stored' as const, label: 'An earlier source' }]),
  ];
  return (
    <PageSection title="Which documents">
      <RadioChoices legend="Which documents" value={kind} options={kinds} onChange={onKind} />
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
            note: `${sourceLabel(source, tags)} · ${counted(source.document_count, 'document')}`,
          }))}
          onChange={onStored}
        />
      )}
      {kind === 'chosen' && (
        <p className="text-sm text-ink-soft">Select others in the document list, under “Guided setup…”.</p>
      )}
    </PageSection>
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
            <Link to="/" className={textLinkClass}>
              Upload some
            </Link>
            {isAll ? '.' : ' or change the choice.'}
          </>
        )}
        {count !== undefined && count > 0 && (
          <>
            <strong className="tabular-nums">{counted(count, 'document')}</strong>
            {isMatching ? ' now; matching documents that come later belong to it too.' : '.'}
            {count > maxDocuments && ` A collection holds ${maxDocuments.toLocaleString()} at most: narrow it.`}
          </>
        )}
      </span>
    </output>
  );
}
