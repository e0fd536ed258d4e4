import type { Role } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { accessTokensKey, createAccessToken } from '../../shared/api/access-tokens-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { roleOptions } from './role-options.ts';
import { ShownOnce } from './shown-once.tsx';

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '0', label: 'Without end' },
];

export function NewTokenForm() {
  const { orgId, organization } = useSession();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [role, setRole] = useState<Role>(organization.role);
  const own = roleOptions.findIndex(({ value }) => value === organization.role);
  const making = useMutation({
    mutationFn: () => createAccessToken(orgId, { name: name.trim(), lifetime_days: Number(days), role }),
    onSuccess: async () => {
      setName('');
      await queryClient.invalidateQueries({ queryKey: accessTokensKey(orgId) });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    making.mutate();
  };
  return (
    <form onSubmit={onSubmit} aria-label="New access token" className={`${panelClass} flex flex-col gap-3 p-3`}>
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="New token for"
          required
          maxLength={200}
          className="min-w-52 flex-1"
          placeholder="The program that will use it"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField label="Holds for" className="w-32" value={days} options={lifetimes} onChange={setDays} />
        <SelectField
          label="Role"
          className="w-32"
          value={role}
          options={roleOptions.slice(own)}
          onChange={(value) => setRole(value as Role)}
        />
        <Button type="submit" look="primary" disabled={making.isPending || name.trim() === ''}>
          Create
        </Button>
      </div>
      {making.isError && <Notice tone="bad">{messageOf(making.error)}</Notice>}
      {making.data && <ShownOnce secret={making.data.token}>{`The token “${making.data.name}” is made.`}</ShownOnce>}
    </form>
  );
}
