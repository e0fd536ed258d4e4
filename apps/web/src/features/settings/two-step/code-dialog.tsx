import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { removeSecondFactor, renewRecoveryCodes } from '../../../shared/api/identity-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';

const words = {
  renew: { title: 'New recovery codes', note: 'The old ones stop working.', action: 'Make new codes' },
  remove: { title: 'Turn off two-step sign-in?', note: 'Your password alone then signs you in.', action: 'Turn off' },
};

interface CodeDialogProps {
  purpose: keyof typeof words;
  onClose: () => void;
  /** With the new recovery codes, where they were asked for. */
  onDone: (recoveryCodes?: string[]) => Promise<void>;
}

/** What only the password and a code together may do. */
export function CodeDialog({ purpose, onClose, onDone }: CodeDialogProps) {
  const { title, note, action } = words[purpose];
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const doing = useMutation({
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
    doing.mutate();
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
          help="Of the authenticator app, or a recovery code."
          autoComplete="one-time-code"
          required
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        {doing.isError && <Notice tone="bad">{messageOf(doing.error)}</Notice>}
        <Button type="submit" look="primary" className="self-end" disabled={doing.isPending}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}
