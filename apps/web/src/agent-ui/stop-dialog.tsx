import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { Dialog } from '../shared/ui/dialogs/dialog.tsx';

/** While the agent runs, Esc asks whether to stop it; one that ends by itself takes the question away. */
export function StopDialog({ running, onStop }: { running: boolean; onStop: () => void }) {
  const [asking, setAsking] = useState(false);
  if (asking && !running) setAsking(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector('[role="dialog"], [role="menu"], [role="combobox"][aria-expanded="true"]')) return;
    event.preventDefault();
    setAsking(true);
  });
  useEffect(() => {
    if (!running) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [running]);
  return (
    <Dialog
      open={asking}
      onOpenChange={setAsking}
      title="Stop the agent?"
      description="The agent stops at the next safe point. What it has written and done is kept."
    >
      <div className="flex justify-end gap-2">
        <Button onClick={() => setAsking(false)}>Let it go on</Button>
        <Button
          look="danger"
          onClick={() => {
            setAsking(false);
            onStop();
          }}
        >
          Stop it
        </Button>
      </div>
    </Dialog>
  );
}
