import type { Collection, FailureCategory } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { failureLabel } from './collection-labels.ts';

/** Why documents could not be indexed, with some of them each. */
export function CollectionFailures({ failures }: Pick<Collection, 'failures'>) {
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
        <span className="text-ink-soft">{document.isError ? 'A document that is no longer there' : '…'}</span>
      ) : (
        <Link
          to="/documents/$documentId"
          params={{ documentId: document_id }}
          className="text-accent underline underline-offset-2 wrap-anywhere"
        >
          {name}
        </Link>
      )}
      <span className="block text-xs text-ink-soft wrap-anywhere">{message}</span>
    </li>
  );
}
