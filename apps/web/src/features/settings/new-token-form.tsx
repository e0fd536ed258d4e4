import type { Role, TokenScope } from '@docwright/contract';
import { useState, type FormEvent } from 'react';
import { accessTokensKey, createAccessToken } from '../../shared/api/account/access-tokens-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { panelClass } from '../../shared/page/page.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { CheckField } from '../../shared/ui/fields/check-field.tsx';
import { SelectField } from '../../shared/ui/fields/select-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { roleOptions } from './organization/role-options.ts';
import { ShownOnce } from '../../shared/page/shown-once.tsx';
import { useChange } from '../../shared/page/use-change.ts';
import { UnsavedGuard } from '../../shared/ui/dialogs/unsaved-guard.tsx';

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '0', label: 'No expiry' },
];

const purposes = [
  { value: 'program', label: 'A program' },
  { value: 'mcp', label: 'An MCP client' },
];
type Purpose = 'program' | 'mcp';

const scopeOptions: { value: TokenScope; label: string; note: string }[] = [
  { value: 'read', label: 'Read', note: 'See everything.' },
  { value: 'propose', label: 'Propose', note: 'Upload, and ask the agent. Its changes wait.' },
  { value: 'decide', label: 'Decide', note: 'Approve, set rules, change without asking.' },
  { value: 'webhooks', label: 'Webhooks', note: 'Have events sent to addresses of its own.' },
  { value: 'admin', label: 'Admin', note: 'Manage people, models and the budget.' },
];

/** The least that each purpose needs: a program reads; an MCP client proposes, and a person decides. */
const leastScopes: Record<Purpose, readonly TokenScope[]> = { program: ['read'], mcp: ['read', 'propose'] };
const leastRole: Record<Purpose, Role> = { program: 'viewer', mcp: 'member' };

export function NewTokenForm() {
  const { orgId, organization } = useSession();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [role, setRole] = useState<Role>(leastRole.program);
  const ownIndex = roleOptions.findIndex(({ value }) => value === organization.role);
  const [purpose, setPurpose] = useState<Purpose>('program');
  const [chosen, setChosen] = useState(leastScopes.program);
  /** The scope admin needs the role admin. */
  const offered = scopeOptions.filter(({ value }) => value !== 'admin' || role === 'admin');
  const scopes = offered.map(({ value }) => value).filter((value) => chosen.includes(value));
  const creating = useChange(
    () => createAccessToken(orgId, { name: name.trim(), lifetime_days: Number(days), role, purpose, scopes }),
    { refreshes: [accessTokensKey(orgId)], onDone: () => setName('') },
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <form onSubmit={onSubmit} aria-label="New access token" className={`${panelClass} flex flex-col gap-3 p-3`}>
      <UnsavedGuard dirty={name !== '' && !creating.isPending} />
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="New token for"
          required
          maxLength={200}
          className="min-w-52 flex-1"
          placeholder="What will use it"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label="Used by"
          className="w-36"
          value={purpose}
          options={purposes}
          onChange={(value) => {
            setPurpose(value as Purpose);
            setChosen(leastScopes[value as Purpose]);
            const least = leastRole[value as Purpose];
            setRole(organization.role === 'viewer' ? 'viewer' : least);
          }}
        />
        <SelectField label="Valid for" className="w-32" value={days} options={lifetimes} onChange={setDays} />
        <SelectField
          label="Role"
          className="w-32"
          value={role}
          options={roleOptions.slice(ownIndex)}
          onChange={(value) => setRole(value as Role)}
        />
      </div>
      <fieldset>
        <legend className="mb-1 text-sm font-medium">It can</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {offered.map(({ value, label, note }) => (
            <CheckField
              key={value}
              label={label}
              checked={chosen.includes(value)}
              onChange={(on) => setChosen(on ? [...chosen, value] : chosen.filter((each) => each !== value))}
            >
              {note}
            </CheckField>
          ))}
        </div>
      </fieldset>
      <Button
        type="submit"
        look="primary"
        className="self-start"
        disabled={creating.isPending || name.trim() === '' || scopes.length === 0}
      >
        Create
      </Button>
      {creating.isError && <Notice tone="bad">{messageOf(creating.error)}</Notice>}
      {creating.data && (
        <ShownOnce secret={creating.data.token}>{`The token “${creating.data.name}” is created.`}</ShownOnce>
      )}
    </form>
  );
}
