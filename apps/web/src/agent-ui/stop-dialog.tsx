import { Suspense, useState } from 'react';
import { lazyPart } from '../shared/ui/parts/lazy-part.tsx';
import { useWindowKey } from '../shared/ui/browser/use-window-key.ts';

const ConfirmDialog = lazyPart(async () => ({
  default: (await import('../shared/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
}));

/** While the agent runs, Esc asks whether to stop it; the dialog closes when the agent finishes. */
export function StopDialog({ running, onStop }: { running: boolean; onStop: () => void }) {
  const [asking, setAsking] = useState(false);
  if (asking && !running) setAsking(false);
  useWindowKey((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector('[role="dialog"], [role="menu"], [role="combobox"][aria-expanded="true"]')) return;
    event.preventDefault();
    setAsking(true);
  }, running);
  return (
    <Suspense>
      {asking && (
        <ConfirmDialog
          title="Stop the agent?"
          description="The agent stops at the next safe point. Its text and finished steps are kept."
          action="Stop it"
          cancelLabel="Let it continue"
          run={async () => onStop()}
          onClose={() => setAsking(false)}
        />
      )}
    </Suspense>
  );
}
