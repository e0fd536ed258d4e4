import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { encode } from 'uqr';
import { confirmSecondFactor, proposeSecondFactor } from '../../../shared/api/account/identity-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { CopyButton } from '../../../shared/ui/copy-button.tsx';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { TextField } from '../../../shared/ui/fields/text-field.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';

interface EnrolDialogProps {
  onClose: () => void;
  onEnabled: (recoveryCodes: string[]) => Promise<void>;
}

/** Turns two-step sign-in on: asks for the password, shows the secret as a QR code, then asks for a first code. */
export function EnrolDialog({ onClose, onEnabled }: EnrolDialogProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const proposing = useMutation({ mutationFn: () => proposeSecondFactor({ password }) });
  const confirming = useMutation({
    mutationFn: () => confirmSecondFactor({ code }),
    onSuccess: ({ recovery_codes }) => onEnabled(recovery_codes),
  });
  const proposed = proposing.data;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (proposed === undefined) proposing.mutate();
    else confirming.mutate();
  };
  const failure = proposed === undefined ? proposing.error : confirming.error;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Turn on two-step sign-in">
      <form onSubmit={onSubmit} className="flex flex-col gap-3">
        {proposed === undefined ? (
          <TextField
            label="Your password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        ) : (
          <>
            <p className="text-sm">Scan this with an authenticator app, or type the key into it.</p>
            <QrCode text={proposed.uri} />
            <p className="flex flex-wrap items-center gap-2">
              <code
                aria-label="Key"
                className="min-w-0 rounded-sm bg-sunken px-1.5 py-1 font-mono text-xs wrap-anywhere"
              >
                {proposed.secret}
              </code>
              <CopyButton text={proposed.secret} label="Copy" />
            </p>
            <TextField
              label="Code that the app shows"
              autoComplete="one-time-code"
              inputMode="numeric"
              required
              maxLength={7}
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          </>
        )}
        {failure !== null && <Notice tone="bad">{messageOf(failure)}</Notice>}
        <Button
          type="submit"
          look="primary"
          className="self-end"
          disabled={proposing.isPending || confirming.isPending}
        >
          {proposed === undefined ? 'Continue' : 'Turn on'}
        </Button>
      </form>
    </Dialog>
  );
}

/** Black on white in both themes, so that cameras can read it. */
function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label="QR code of the key"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 self-center rounded-md bg-white"
    >
      <path d={squares.join('')} fill="#000" />
    </svg>
  );
}
