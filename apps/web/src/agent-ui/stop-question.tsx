import { Button } from '../shared/ui/button.tsx';
import { Dialog } from '../shared/ui/dialogs/dialog.tsx';

/** Asks whether to stop the agent. */
export function StopQuestion({ onClose, onStop }: { onClose: () => void; onStop: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Stop the agent?"
      description="The agent stops at the next safe point. What it has written and done is kept."
    >
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Let it go on</Button>
        <Button
          look="danger"
          onClick={() => {
            onClose();
            onStop();
          }}
        >
          Stop it
        </Button>
      </div>
    </Dialog>
  );
}
