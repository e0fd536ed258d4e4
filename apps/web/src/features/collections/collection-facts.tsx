import type { Collection, FailureCategory } from '@docwright/contract';
import { Suspense } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { localTimezone, momentLabel } from '../../shared/formats/timing-labels.ts';
import { useSourceName } from '../../shared/labels/use-source-name.ts';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { progressLabel, sourceChangeLabel, failureLabel } from './collection-labels.ts';
import { UpdateButton } from './update-collection.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { counted } from '../../shared/formats/counted.ts';
import { FactRow, FactList } from '../../shared/ui/fact-list.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

const PipelineDiagram = lazyPart(async () => ({
  default: (await import('../setup/board/pipeline-diagram.tsx')).PipelineDiagram,
}));

/** A collection's failures, facts and pipeline. */
export function CollectionFacts({ collection }: { collection: Collection }) {
  const { id, failures, pipeline, changes } = collection;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {failures.length > 0 && (
        <section id="failures" aria-labelledby="failures-title" className={`${panelClass} flex flex-col gap-3 p-3`}>
          <div className="flex min-h-7 items-center justify-between gap-2">
            <h2 id="failures-title" className="text-base font-semibold">
              Not indexed
            </h2>
            {changes !== undefined && changes.failed > 0 && <UpdateButton id={id} label="Try again" />}
          </div>
          <CollectionFailures failures={failures} />
        </section>
      )}
      <section aria-label="About the collection" className={`${panelClass} p-3`}>
        <Facts collection={collection} />
      </section>
      <section aria-labelledby="pipeline-title" className={`${panelClass} flex flex-col gap-3 p-3`}>
        <h2 id="pipeline-title" className="text-base font-semibold">
          Pipeline
        </h2>
        <Suspense fallback={<Skeleton className="h-80" />}>
          <PipelineDiagram pipeline={pipeline} />
        </Suspense>
      </section>
    </div>
  );
}

function Facts({ collection }: { collection: Collection }) {
  const memberName = useMemberName();
  const { source_id, progress, search, changes, created_at, created_by, ended_at } = collection;
  const timezone = localTimezone();
  const moment = (iso: string) => <time dateTime={iso}>{momentLabel(iso, timezone)}</time>;
  return (
    <FactList>
      <FactRow term="Source">{useSourceName(source_id)}</FactRow>
      <FactRow term="Documents">{progressLabel(collection)}</FactRow>
      <FactRow term="Chunks">
        {progress.chunks.toLocaleString()}, from {counted(progress.pages, 'page')}
      </FactRow>
      <FactRow term="Search">{search.vectors ? 'Keywords and meaning' : 'Keywords'}</FactRow>
      <FactRow term="Created">
        {moment(created_at)} by {memberName(created_by)}
      </FactRow>
      {ended_at !== undefined && (
        <FactRow term="Indexed">
          {moment(ended_at)}
          {progress.waiting === 0 && changes && sourceChangeLabel(changes) === undefined && (
            <span className="block text-xs text-ink-faint">Up to date with its source</span>
          )}
        </FactRow>
      )}
    </FactList>
  );
}

/** Why documents could not be indexed, with examples. */
function CollectionFailures({ failures }: Pick<Collection, 'failures'>) {
  return (
    <ul className="flex flex-col gap-3">
      {failures.map((failure) => (
        <li key={failure.category} className="flex flex-col gap-1.5">
          <p className="flex items-baseline justify-between gap-2 text-sm font-medium">
            <span className="min-w-0 wrap-anywhere">{failureLabel(failure.category)}</span>
            <span className="text-bad tabular-nums">{failure.count.toLocaleString()}</span>
          </p>
          <ul className="flex flex-col gap-1.5 border-l-2 border-line pl-2.5">
            {failure.examples.map((example) => (
              <Example key={example.document_id} example={example} />
            ))}
          </ul>
          {failure.count > failure.examples.length && (
            <p className="text-xs text-ink-faint">
              and {(failure.count - failure.examples.length).toLocaleString()} more
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Example({ example: { document_id, message } }: { example: FailureCategory['examples'][number] }) {
  const { orgId } = useSession();
  const document = useQuery({ ...documentQuery(orgId, document_id), staleTime: 60_000 });
  const name = document.data?.document_name;
  return (
    <li className="text-sm">
      {name === undefined ? (
        <span className="text-ink-soft">{document.isError ? 'Deleted document' : '…'}</span>
      ) : (
        <Link
          to="/documents/$documentId"
          params={{ documentId: document_id }}
          className={`${textLinkClass} wrap-anywhere`}
        >
          {name}
        </Link>
      )}
      <span className="block text-xs text-ink-soft wrap-anywhere">{message}</span>
    </li>
  );
}
