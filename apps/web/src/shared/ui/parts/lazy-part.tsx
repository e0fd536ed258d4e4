import { lazy, useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Notice } from '../notice.tsx';

/** The code of a part did not arrive. Errors of the part itself pass on. */
class PartNotLoaded extends Error {}

/**
 * A part of a page whose code is loaded at its first use, inside of a `Suspense`. If the code does not arrive, because the network is
 * away or the server has a newer release, a notice says so: the page stays, with what the user has written.
 *
 * @example const RunDialog = lazyPart(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }));
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): (props: Props) => ReactNode {
  const begin = () =>
    lazy(async () => {
      try {
        return await load();
      } catch (error) {
        throw new PartNotLoaded('Code of the page did not arrive.', { cause: error });
      }
    });
  // A failed one fails for ever.
  let loaded = begin();
  return function LazyPart(props) {
    const [Shown, setShown] = useState(() => loaded);
    const again = (retry: () => void) => {
      if (loaded === Shown) loaded = begin();
      setShown(() => loaded);
      retry();
    };
    return (
      <ErrorBoundary
        renderFallback={(error, retry) => {
          if (!(error instanceof PartNotLoaded)) throw error;
          return <PartMissing onRetry={() => again(retry)} />;
        }}
      >
        <Shown {...props} />
      </ErrorBoundary>
    );
  };
}

/** Loads the missing parts of the page again, the oldest first. One notice speaks for all. */
let missing: readonly (() => void)[] = [];
const subscribers = new Set<() => void>();

function setMissing(next: readonly (() => void)[]): void {
  missing = next;
  for (const notify of subscribers) notify();
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify);
  return () => subscribers.delete(notify);
}

function PartMissing({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    setMissing([...missing, onRetry]);
    return () => setMissing(missing.filter((each) => each !== onRetry));
  }, [onRetry]);
  if (useSyncExternalStore(subscribe, () => missing[0]) !== onRetry) return null;
  const retryAll = () => {
    for (const retry of missing) retry();
  };
  return (
    <div className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-xl">
      <Notice
        tone="bad"
        actions={
          <span className="flex gap-1.5">
            <Button size="small" onClick={retryAll}>
              Try again
            </Button>
            <Button size="small" look="quiet" onClick={() => window.location.reload()}>
              Reload
            </Button>
          </span>
        }
      >
        A part of this page could not be loaded: the server is out of reach or has a newer release. What you have
        written is still here; copy it before you reload.
      </Notice>
    </div>
  );
}
