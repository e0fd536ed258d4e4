import { KeyRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { Button } from '../../shared/ui/button.tsx';

const ClaimDialog = lazyPart(async () => ({ default: (await import('./claim-dialog.tsx')).ClaimDialog }));

/** Shown to an owner who signed in with the printed link: without a password they cannot sign in elsewhere. */
export function ClaimBanner() {
  const [open, setOpen] = useState(false);
  return (
    <aside
      aria-label="Your account"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5 text-sm"
    >
      <KeyRound aria-hidden className="size-4 shrink-0 text-accent" />
      <p className="min-w-0 grow basis-56">
        You are the owner of this workspace, without a password yet. Set one to sign in from anywhere.
      </p>
      <Button size="small" onClick={() => setOpen(true)}>
        Set e-mail and password
      </Button>
      <Suspense>{open && <ClaimDialog onClose={() => setOpen(false)} />}</Suspense>
    </aside>
  );
}
