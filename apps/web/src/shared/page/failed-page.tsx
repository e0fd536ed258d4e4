import type { Membership } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileQuestion, TriangleAlert } from 'lucide-react';
import { ApiError, messageOf } from '../http/api-error.ts';
import { sendUndescribed } from '../http/http.ts';
import { useSessionIfAny } from '../session/session.tsx';
import { Button, linkButtonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

const ofOrganization = /^\/v0\/orgs\/([\da-f]{24})(?=\/)/u;
/** Users belong to few organizations; each is one request. */
const maxOrganizations = 20;

/** The organization of the user that has what another one has not: a user who does not belong to it is answered as if it did not exist. */
function useOtherOrganization(error: unknown): { other: Membership | undefined; choose: () => void } {
  const session = useSessionIfAny();
  const path = error instanceof ApiError && error.status === 404 ? error.path : undefined;
  const shownId = path && ofOrganization.exec(path)?.[1];
  const others = (session?.me.organizations ?? []).filter(({ id }) => id !== shownId).slice(0, maxOrganizations);
  const { data } = useQuery({
    queryKey: ['other organization', path],
    queryFn: async ({ signal }) => {
      for (const each of others) {
        try {
          await sendUndescribed(path!.replace(ofOrganization, `/v0/orgs/${each.id}`), { signal });
          return each;
        } catch (cause) {
          if (signal.aborted) throw cause;
        }
      }
      return null;
    },
    enabled: shownId !== undefined && others.length > 0,
    retry: false,
  });
  return { other: data ?? undefined, choose: () => data && session?.chooseOrganization(data.id) };
}

/** Shown instead of a page that failed to load. */
export function FailedPage({ error, retry }: { error: unknown; retry: () => void }) {
  const missing = error instanceof ApiError && error.status === 404;
  const { other, choose } = useOtherOrganization(error);
  return (
    <main className="flex flex-1 items-center justify-center">
      <EmptyState
        icon={missing ? FileQuestion : TriangleAlert}
        title={missing ? 'Not found' : 'This page could not be shown'}
        actions={
          <>
            {other && <Button onClick={choose}>Switch to {other.name}</Button>}
            <Link to="/" className={linkButtonClass('secondary')}>
              Go to documents
            </Link>
            {!missing && <Button onClick={retry}>Try again</Button>}
          </>
        }
      >
        {other !== undefined
          ? `It belongs to ${other.name}, another organization of yours.`
          : missing
            ? 'It may have been deleted, or it belongs to another organization.'
            : messageOf(error)}
      </EmptyState>
    </main>
  );
}
