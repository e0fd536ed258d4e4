import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { removeSecondFactor, renewRecoveryCodes } from '../../../shared/api/account/identity-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';

const labels = {
  renew: { title: 'New recovery codes', note: 'The old ones stop working.', action: 'Create new codes' },
  remove: {
    title: 'Turn off two-step sign-in?',
    note: 'You then sign in with your password alone.',
    action: 'Turn off',
  },
};

interface CodeDialogProps {
  purpose: keyof typeof labels;
  onClose: () => void;
  /** Receives the new recovery codes, if they were requested. */
  onDone: (recoveryCodes?: string[]) => Promise<void>;
}

/** Asks for password and code, then renews the recovery codes or turns the second factor off. */
export function CodeDialog({ purpose, onClose, onDone }: CodeDialogProps) {
  const { title, note, action } = labels[purpose];
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submitting = useMutation({
    mutationFn: async (): Promise<string[] | undefined> => {
      const body = { password, code };
      if (purpose === 'renew') return (await renewRecoveryCodes(body)).recovery_codes;
      await removeSecondFactor(body);
      return undefined;
    },
    onSuccess: onDone,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submitting.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={note}>
      <form onSubmit={onSubmit} className="flex flex-col gap-3">
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <TextField
          label="Code"
          help="From the authenticator app, or a recovery code."
          autoComplete="one-time-code"
          required
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        {submitting.isError && <Notice tone="bad">{messageOf(submitting.error)}</Notice>}
        <Button type="submit" look="primary" className="self-end" disabled={submitting.isPending}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}
