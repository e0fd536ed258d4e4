import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';

interface RunAgainDialogProps {
  onClose: () => void;
  onRun: () => void;
}

/** A new run replaces corrected or verified values: it asks first. */
export function RunAgainDialog({ onClose, onRun }: RunAgainDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Run the extraction again?"
      description="This discards your corrections and verification. You can restore them from the versions. If the run fails, nothing changes."
    >
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep these values</Button>
        <Button look="primary" onClick={onRun}>
          Run again
        </Button>
      </div>
    </Dialog>
  );
}
