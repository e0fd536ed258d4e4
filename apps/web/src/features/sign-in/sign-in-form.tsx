import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { meQuery, signIn } from '../../shared/api/identity-api.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';

export function SignInForm() {
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const entering = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    entering.mutate();
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3">
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
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {entering.isError && <Notice tone="bad">{messageOf(entering.error)}</Notice>}
      <Button type="submit" look="primary" disabled={entering.isPending}>
        {entering.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
