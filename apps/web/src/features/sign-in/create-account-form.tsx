import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import { meQuery, register } from '../../shared/api/identity-api.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

interface CreateAccountFormProps {
  invitation?: string | undefined;
  /** Known already where the unclaimed owner sets e-mail and password. */
  initialName?: string;
  submitLabel?: string;
  onDone?: () => void;
}

/** Registers, which also signs in. The first person's account, or the unclaimed owner's, becomes the admin's. */
export function CreateAccountForm({ invitation, initialName = '', submitLabel, onDone }: CreateAccountFormProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(initialName);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [setupToken, setSetupToken] = useState('');
  const registering = useMutation({
    mutationFn: () =>
      register({
        name,
        email,
        password,
        ...(invitation === undefined ? {} : { invitation_token: invitation }),
        ...(setupToken === '' ? {} : { setup_token: setupToken }),
      }),
    onSuccess: async () => {
      onDone?.();
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const refused = registering.error instanceof ApiError && registering.error.status === 403;
  const tooShort = password !== '' && password.length < 12;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!tooShort) registering.mutate();
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3">
      {invitation !== undefined && <Notice>You were invited: your account joins that organization.</Notice>}
      <TextField
        label="Name"
        autoComplete="name"
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
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
        autoComplete="new-password"
        required
        help={tooShort ? `${12 - password.length} more to go: 12 characters or more.` : '12 characters or more.'}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {(refused || setupToken !== '') && invitation === undefined && (
        <TextField
          label="Setup token"
          help="For the first account on a server that others can reach: what follows token= in the link that npm start prints."
          value={setupToken}
          onChange={(event) => setSetupToken(event.target.value)}
        />
      )}
      {registering.isError && <Notice tone="bad">{messageOf(registering.error)}</Notice>}
      <Button type="submit" look="primary" disabled={registering.isPending}>
        {registering.isPending ? 'One moment…' : (submitLabel ?? 'Create account')}
      </Button>
    </form>
  );
}
