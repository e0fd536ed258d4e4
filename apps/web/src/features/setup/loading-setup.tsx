import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';

/** Holds the place of a setup that is being read, in the form that it will have. */
export function LoadingSetup({ chatWidth }: { chatWidth: number }) {
  const navigate = useNavigate();
  return (
    <>
      <title>Guided setup · Docwright</title>
      <AppHeader>
        <IconButton label="Back to the guided setups" onClick={() => void navigate({ to: '/setup' })}>
          <ArrowLeft aria-hidden className="size-4" />
        </IconButton>
        <h1 className="min-w-0 truncate text-base font-semibold">Guided setup</h1>
      </AppHeader>
      <main className="flex min-h-0 flex-1">
        <output aria-label="Loading" className="flex min-w-0 flex-1">
          <span
            className="flex shrink-0 flex-col gap-3 border-r border-line bg-surface p-4 max-lg:hidden"
            style={{ width: `min(${chatWidth}px, 45vw)` }}
          >
            <Skeleton className="h-9 w-2/5 self-end" />
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-3/5" />
          </span>
          <span className="mx-auto flex max-w-5xl min-w-0 flex-1 flex-col p-4">
            <span className={`${panelClass} flex h-64 flex-col gap-3 p-4`}>
              <Skeleton className="h-5 w-32" />
              <Skeleton className="h-4 w-3/5" />
            </span>
          </span>
        </output>
      </main>
    </>
  );
}
