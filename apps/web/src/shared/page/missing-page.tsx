import { Link } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { linkButtonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { AppHeader } from './app-header.tsx';

/** Shown for an unknown URL. */
export function MissingPage() {
  return (
    <>
      <title>Page not found · Docwright</title>
      <AppHeader>
        <span className="truncate text-sm text-ink-soft">Page not found</span>
      </AppHeader>
      <main className="flex flex-1 items-center justify-center">
        <EmptyState
          icon={FileQuestion}
          title="Page not found"
          actions={
            <Link to="/" className={linkButtonClass('primary')}>
              Go to documents
            </Link>
          }
        >
          There is no page at this address. Check the link, or go to the documents.
        </EmptyState>
      </main>
    </>
  );
}
