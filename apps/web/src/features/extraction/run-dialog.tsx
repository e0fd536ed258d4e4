import type { ExtractionEstimate } from '@docwright/contract';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';

interface RunDialogProps {
  /** Whether corrections or a verification would be lost. */
  replaces: boolean;
  /** Undefined if one request is enough. */
  estimate: ExtractionEstimate | undefined;
  onClose: () => void;
  onRun: () => void;
}

/** Confirms a run that replaces corrected or verified values, or that takes many requests. */
export function RunDialog({ replaces, estimate, onClose, onRun }: RunDialogProps) {
  const lost =
    'This discards your corrections and verification. You can restore them from the versions. If the run fails, nothing changes.';
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={replaces ? 'Run the extraction again?' : 'Extract from a long document?'}
      description={[...(replaces ? [lost] : []), ...(estimate ? [costText(estimate)] : [])].join(' ')}
    >
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{replaces ? 'Keep these values' : 'Cancel'}</Button>
        <Button look="primary" onClick={onRun}>
          {replaces ? 'Run again' : 'Extract'}
        </Button>
      </div>
    </Dialog>
  );
}

function costText({ pages, requests, spu_estimated }: ExtractionEstimate): string {
  return `The ${pages.toLocaleString()} pages take ${requests.toLocaleString()} requests to the model, about ${spu_estimated.toLocaleString()} SPU. You see how far it is, and can stop it.`;
}
