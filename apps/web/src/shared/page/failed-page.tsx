import { Link } from '@tanstack/react-router';
import { FileQuestion, TriangleAlert } from 'lucide-react';
import { ApiError, messageOf } from '../http/api-error.ts';
import { Button, linkButtonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** Shown instead of a page that failed to load. */
export function FailedPage({ error, retry }: { error: unknown; retry: () => void }) {
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <main className="flex flex-1 items-center justify-center">
      <EmptyState
        icon={missing ? FileQuestion : TriangleAlert}
        title={missing ? 'Not found' : 'This page could not be shown'}
        actions={
          <>
            <Link to="/" className={linkButtonClass('secondary')}>
              Go to documents
            </Link>
            {!missing && <Button onClick={retry}>Try again</Button>}
          </>
        }
      >
        {missing ? 'It may have been deleted, or it belongs to another organization.' : messageOf(error)}
      </EmptyState>
    </main>
  );
}
