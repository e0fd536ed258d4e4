import type { ReactNode } from 'react';
import { ApiError } from '../http/api-error.ts';
import { AppHeader } from './app-header.tsx';
import { FailedPage } from './failed-page.tsx';
import { Page, panelClass } from './page.tsx';
import { RetryNotice } from '../ui/retry-notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface LoadingPageProps {
  title: string;
  back: ReactNode;
  /** Null while loading. */
  error: unknown;
  retry: () => void;
}

/** Placeholder for a page while its object loads; shows the error if that fails. */
export function LoadingPage({ title, back, error, retry }: LoadingPageProps) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <>
        <AppHeader>{back}</AppHeader>
        <FailedPage error={error} retry={retry} />
      </>
    );
  }
  return (
    <Page title={title} back={back}>
      {error === null ? (
        <output aria-label="Loading" className={`${panelClass} flex h-96 flex-col gap-3 p-4`}>
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-4 w-1/2" />
        </output>
      ) : (
        <RetryNotice error={error} retry={retry} />
      )}
    </Page>
  );
}
