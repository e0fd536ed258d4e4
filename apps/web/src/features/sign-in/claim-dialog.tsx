import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { AccountForm } from './account-form.tsx';

export function ClaimDialog({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const onDone = () => {
    onClose();
    toast('The account is yours. Sign in with this e-mail and password from now on.');
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Make this account yours">
      <AccountForm purpose="create" submitLabel="Save" onDone={onDone} />
    </Dialog>
  );
}
