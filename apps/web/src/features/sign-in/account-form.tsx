import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import {
  acceptInvitation,
  meQuery,
  register,
  signIn,
  minPasswordLength,
} from '../../shared/api/account/identity-api.ts';
import { focusWhenVisible } from '../../shared/ui/browser/focus-when-visible.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

interface AccountFormProps {
  /** `create` also signs in. The first account becomes the admin's; an owner without a password claims theirs. */
  purpose: 'sign-in' | 'create';
  invitation?: string | undefined;
  /** The address of the account that signs in again. */
  email?: string;
  submitLabel: string;
  onDone?: () => void;
}

/** Signs in, or creates the account and signs in. */
export function AccountForm({ purpose, invitation, email: known = '', submitLabel, onDone }: AccountFormProps) {
  const queryClient = useQueryClient();
  const creating = purpose === 'create';
  const [name, setName] = useState('');
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [setupToken, setSetupToken] = useState('');
  const [code, setCode] = useState('');
  const [asksForCode, setAsksForCode] = useState(false);
  const entering = useMutation({
    mutationFn: async () => {
      if (!creating) {
        await signIn({ email, password, ...(code === '' ? {} : { code }) });
        if (invitation !== undefined) await acceptInvitation(invitation);
        return;
      }
      await register({
        name,
        email,
        password,
        ...(invitation === undefined ? {} : { invitation_token: invitation }),
        ...(setupToken === '' ? {} : { setup_token: setupToken }),
      });
    },
    onSuccess: async () => {
      onDone?.();
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
    onError: (error) => {
      if (!isCodeMissing(error)) return;
      setAsksForCode(true);
      focusWhenVisible('[autocomplete="one-time-code"]');
    },
  });
  const needsSetupToken = creating && entering.error instanceof ApiError && entering.error.status === 403;
  const missing = creating && password !== '' ? Math.max(0, minPasswordLength - password.length) : 0;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (missing === 0) entering.mutate();
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3">
      {invitation !== undefined && <Notice>You were invited to join an organization.</Notice>}
      {creating && (
        <TextField
          label="Name"
          autoComplete="name"
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete={creating ? 'new-password' : 'current-password'}
        required
        {...(creating && {
          help: missing > 0 ? `${missing} more characters needed.` : `At least ${minPasswordLength} characters.`,
        })}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {(needsSetupToken || setupToken !== '') && invitation === undefined && (
        <TextField
          label="Setup token"
          help="Needed for the first account of a server that others can reach: the part after token= in the link that npm start prints."
          value={setupToken}
          onChange={(event) => setSetupToken(event.target.value)}
        />
      )}
      {asksForCode && (
        <TextField
          label="Code"
          help="The code in your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          required
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      {entering.isError && !isCodeMissing(entering.error) && <Notice tone="bad">{messageOf(entering.error)}</Notice>}
      <Button type="submit" look="primary" disabled={entering.isPending}>
        {entering.isPending ? 'One moment…' : submitLabel}
      </Button>
    </form>
  );
}

/** The password was right, and a second factor is needed. */
function isCodeMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'second_factor_needed';
}
